// On a phone the contents begin folded, so that the rules begin on the first screen; without this module they stay open.
const fold = document.querySelector(".contents-fold");
const wide = window.matchMedia("(min-width: 60rem)");
const settle = () => { fold.open = wide.matches; };
if (fold) {
  settle();
  // Folding moved the text: go again to the clause that was asked for.
  if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  wide.addEventListener("change", settle);
  fold.addEventListener("click", (event) => {
    if (event.target.closest("a") && !wide.matches) fold.open = false;
  });
}
// A clause that is asked for by its address shows its cases.
const unfold = () => {
  const asked = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (asked?.matches("details")) asked.open = true;
};
unfold();
window.addEventListener("hashchange", unfold);
