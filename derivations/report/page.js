"use strict";

// The fold that a link leads into, or that holds its target, opens.
function reveal() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let fold = target && target.closest("details"); fold; fold = fold.parentElement.closest("details")) {
    fold.open = true;
  }
}

const fold = document.getElementById("fold");
fold.addEventListener("click", () => {
  const open = fold.getAttribute("aria-pressed") !== "true";
  document.querySelectorAll("details.evidence").forEach((details) => { details.open = open; });
  fold.setAttribute("aria-pressed", String(open));
  fold.textContent = open ? "Close every derivation" : "Open every derivation";
});
addEventListener("hashchange", reveal);
reveal();
