// The distance between two spots of the chart by two taps, or with Enter at the middle of the chart: nautical miles and a bearing.

const POINTS = ["N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW"];
const RADIAN = Math.PI / 180;

// Miles and degrees along the line of one heading between two positions, which is straight on the chart.
export function rhumb([lat, lon], [lat2, lon2]) {
  const stretched = (degrees) => Math.asinh(Math.tan(degrees * RADIAN));
  const north = (lat2 - lat) * RADIAN;
  const up = stretched(lat2) - stretched(lat);
  const q = Math.abs(up) > 1e-9 ? north / up : Math.cos(lat * RADIAN);
  const east = (lon2 - lon) * RADIAN;
  const miles = (Math.hypot(north, q * east) / RADIAN) * 60;
  return { miles, bearing: (Math.atan2(east, up) / RADIAN + 360) % 360 };
}

export class Measure {
  constructor(chart) {
    this.chart = chart;
    this.layer = chart.svg.querySelector(".measure");
    this.button = chart.frame?.querySelector("[data-measure]");
    this.said = chart.frame?.querySelector(".chart-said");
    this.spots = [];
    if (!this.button) return;
    this.button.addEventListener("click", () => this.toggle());
    // before a mark under the finger takes the tap for itself
    chart.svg.addEventListener("click", (event) => {
      if (!this.on || chart.travel > 6) return;
      event.preventDefault();
      event.stopPropagation();
      this.mark(chart.spot(event.clientX, event.clientY));
    }, true);
    chart.svg.addEventListener("keydown", (event) => {
      if (this.on && event.key === "Enter") {
        event.preventDefault();
        this.mark(chart.centre);
      } else if (this.on && event.key === "Escape") this.toggle();
    });
  }

  toggle() {
    this.on = !this.on;
    this.button.setAttribute("aria-pressed", String(this.on));
    this.chart.svg.classList.toggle("measuring", this.on);
    this.spots = [];
    this.draw();
    this.say(this.on ? "Tap two places. With the keyboard, move the chart and press Enter for its middle." : "");
    if (this.on) this.chart.svg.focus({ preventScroll: true });
  }

  mark(spot) {
    this.spots = this.spots.length === 1 ? [...this.spots, spot] : [spot];
    this.draw();
    if (this.spots.length === 1) {
      this.say("Now the second place.");
      return;
    }
    const { miles, bearing } = rhumb(...this.spots.map((each) => this.position(each)));
    const degrees = Math.round(bearing) % 360;
    const shown = miles < 10 ? miles.toFixed(1) : Math.round(miles);
    this.say(`${shown} nautical miles, ${POINTS[Math.round(bearing / 22.5) % 16]} (${String(degrees).padStart(3, "0")}°)`);
  }

  // latitude and longitude of a spot: the paper is Mercator's
  position([x, y]) {
    const { west, north, degree } = this.chart.svg.dataset;
    const top = Math.asinh(Math.tan(Number(north) * RADIAN));
    const lat = Math.atan(Math.sinh(top - (y / Number(degree)) * RADIAN)) / RADIAN;
    return [lat, Number(west) + x / Number(degree)];
  }

  draw() {
    const line = this.spots.length === 2 ? `<path d="M${this.spots[0].join(" ")}L${this.spots[1].join(" ")}"/>` : "";
    const ends = this.spots.map(([x, y]) => `<g transform="translate(${x} ${y})"><path class="mark end" d="M-7 0H7M0-7V7"/></g>`);
    this.layer.innerHTML = line + ends.join("");
  }

  say(words) {
    this.said.textContent = words;
    this.said.hidden = !words;
  }
}
