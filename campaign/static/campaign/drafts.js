// What is typed in a form is kept on the server as a draft of the reader's own. While it is not kept there, the page says so, tries again,
// warns before it is left, and remembers what was typed on this device.

const WAIT = 500; // milliseconds between the last change and its keeping
const FIRST = 2000; // milliseconds until it is tried again, twice as long every time
const LONGEST = 30000;
const MOST_OUTLIVING = 60000; // characters that a browser still sends when the page is left

// form: gives the form. say: shows "kept" or "unkept". store: a name under which this device remembers it, "" for none.
export function keeper({ form, say, store = () => "" }) {
  let timer = 0;
  let pause = FIRST;
  let changes = 0; // since the page was opened
  let kept = 0; // of these
  let way = null; // the last request
  const typed = new Map(); // name of a field: what was typed

  function remember() {
    if (store()) localStorage.setItem(store(), JSON.stringify([...typed]));
  }

  function settled() {
    clearTimeout(timer);
    kept = changes;
    typed.clear();
    if (store()) localStorage.removeItem(store());
  }

  function failed() {
    say("unkept");
    clearTimeout(timer);
    timer = setTimeout(keep, pause);
    pause = Math.min(2 * pause, LONGEST);
  }

  function keep() {
    clearTimeout(timer);
    way = send();
  }

  // Before a button sends the form: a draft that came after it would bring back what the button has settled.
  async function quiet() {
    clearTimeout(timer);
    await way;
    clearTimeout(timer);
  }

  async function send() {
    if (!form()) return;
    const body = new URLSearchParams(new FormData(form()));
    const until = changes;
    body.set("act", "keep");
    try {
      const keepalive = body.toString().length < MOST_OUTLIVING;
      const answer = await fetch(form().action, { method: "POST", body, keepalive });
      if (!answer.ok || answer.redirected) throw new Error(answer.status);
    } catch {
      if (kept !== changes) failed();
      return;
    }
    pause = FIRST;
    kept = Math.max(kept, until);
    if (kept !== changes) return;
    settled();
    say("kept");
  }

  // fields: names of those that were changed
  function changed(...fields) {
    changes += 1;
    for (const name of fields) typed.set(name, new FormData(form()).getAll(name));
    remember();
    clearTimeout(timer);
    timer = setTimeout(keep, WAIT);
  }

  // what this device remembers of an earlier visit, as [name, values]
  function left() {
    return store() ? JSON.parse(localStorage.getItem(store()) ?? "[]") : [];
  }

  window.addEventListener("online", () => kept !== changes && keep());
  window.addEventListener("beforeunload", (event) => {
    if (kept !== changes) event.preventDefault();
  });
  return { changed, failed, left, quiet, settled };
}
