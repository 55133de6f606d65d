// The keys of the replay: most work anywhere on the page, those that a page has other uses for only on the board.

const STORED = "replay-keys";
const TYPING = "select, textarea, [contenteditable], input:not([type=range], [type=checkbox])";

// Calls what a key stands for. acts: by the names of the buttons. on: the board, where panning and the vertical arrows work too.
export function listenForKeys(acts, on, box) {
  const anywhere = {
    " ": acts.play, k: acts.play, ArrowRight: acts.on, ArrowLeft: acts.back, "]": acts["turn-on"], "[": acts["turn-back"],
    Home: acts.first, End: acts.last, n: acts.loss, N: acts["loss-back"], b: acts.hit, B: acts["hit-back"], m: acts.ship,
    ".": acts["ship-on"], ",": acts["ship-back"], "+": acts.in, "=": acts.in, "-": acts.out, 0: acts.all, f: acts.full, Escape: acts.leave,
  };
  const board = {
    ArrowDown: acts["turn-on"], ArrowUp: acts["turn-back"], PageDown: acts["turn-on"], PageUp: acts["turn-back"],
    w: acts.north, s: acts.south, a: acts.west, d: acts.east,
  };
  box.checked = remembered() !== "off";
  box.addEventListener("change", () => remember(box.checked ? "on" : "off"));
  document.addEventListener("keydown", (event) => {
    const { target, key } = event;
    const here = target === on;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || target.closest(TYPING)) return;
    if (!here && (!box.checked || keepsItsKey(target, key))) return;
    const act = anywhere[key] ?? (here ? board[key] : undefined);
    if (!act) return;
    event.preventDefault();
    act();
  });
}

// A slider has its own arrows, a button or link its own space.
function keepsItsKey(target, key) {
  if (target.matches("input[type=range]")) return key.startsWith("Arrow") || key === "Home" || key === "End";
  return key === " " && target.closest("a, button, summary, input, [role=button]") !== null;
}

function remembered() {
  try { return localStorage.getItem(STORED); } catch { return null; }
}

function remember(value) {
  try { localStorage.setItem(STORED, value); } catch { /* a browser that keeps nothing: until the page is left */ }
}
