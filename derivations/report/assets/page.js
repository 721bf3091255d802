"use strict";

// Files beside the page are loaded as scripts: a browser reads no other files where pages are opened from a disk.
function load(address, failed) {
  const script = document.createElement("script");
  script.src = address;
  script.addEventListener("error", failed);
  document.head.append(script);
}

// --- evidence, loaded when its fold is opened -----------------------------------------------------------------------

const paper = document.body.dataset.paper;
const asked = new Set();

function evidence(section, parts) { // called by evidence/KEY/SECTION.js
  for (const fold of document.querySelectorAll(`details.evidence[data-in="${CSS.escape(section)}"]`)) {
    const shown = document.createElement("div");
    shown.innerHTML = parts[fold.closest("article").id] || "";
    fold.append(shown);
  }
}

function open(fold) {
  const section = fold.dataset.in;
  if (!fold.open || asked.has(section)) return;
  asked.add(section);
  load(`evidence/${paper}/${section}.js`, () => {
    asked.delete(section);
    if (!fold.querySelector("p")) fold.insertAdjacentHTML("beforeend", "<p>The evidence is not beside this page.</p>");
  });
}

document.querySelectorAll("details.evidence").forEach((fold) => fold.addEventListener("toggle", () => open(fold)));

const all = document.getElementById("fold");
all?.addEventListener("click", () => {
  const pressed = all.getAttribute("aria-pressed") !== "true";
  document.querySelectorAll("details.evidence, details.group").forEach((fold) => { fold.open = pressed; });
  all.setAttribute("aria-pressed", String(pressed));
  all.textContent = pressed ? "Close every derivation" : "Open every derivation";
});

// --- links: the fold that holds a target opens ------------------------------------------------------------------------

function reveal() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  let opened = false;
  for (let fold = target?.closest("details"); fold; fold = fold.parentElement.closest("details")) {
    opened ||= !fold.open;
    fold.open = true;
  }
  if (opened) target.scrollIntoView();
}

addEventListener("hashchange", reveal);
reveal();

// --- search: "eq 7", letters such as tau_h or τ_h, words in any order; KEY.html?q=words links to a search -----------

const MOST = 30;
const GREEK = {
  α: "alpha", β: "beta", γ: "gamma", δ: "delta", ε: "epsilon", ϵ: "epsilon", ζ: "zeta", η: "eta", θ: "theta",
  κ: "kappa", λ: "lambda", μ: "mu", ν: "nu", ξ: "xi", π: "pi", ρ: "rho", σ: "sigma", τ: "tau", φ: "phi", ϕ: "phi",
  χ: "chi", ψ: "psi", ω: "omega",
};
const SIGNS = { proved: "✓", certified: "≈", refuted: "✗", argued: "∴", open: "?", definition: "≔", experiment: "∿" };
const query = document.getElementById("query");
const found = document.getElementById("found");
const results = document.getElementById("results");
let lines = null;

function searchable(given) { // called by search.js
  lines = given.map(([page, anchor, verdict, title, says, numbers, words]) => (
    { page, anchor, verdict, title, says, numbers, words, whole: new Set(words.split(/[^\w'^]+/)) }
  ));
  search();
}

function asksFor(text) { // the number of an equation at the start of a query, and the other words
  const plain = [...text.toLowerCase()].map((c) => GREEK[c] || c).join("");
  const match = /^\s*(?:eqs?|equations?)?[.\s]*\(?(\d+)\)?(?=\s|$)/.exec(plain);
  const rest = match ? plain.slice(match[0].length) : plain;
  return { number: match && Number(match[1]), words: rest.split(/\s+/).filter(Boolean) };
}

function matches(line, { number, words }) {
  const says = (word) => (word.length < 3 ? line.whole.has(word) : line.words.includes(word));
  return (!number || line.numbers.includes(number)) && words.every(says);
}

function rank(line) { // equations before entries, this paper before others
  return (line.anchor.startsWith("eq-") ? 0 : 2) + (line.page === paper || !paper ? 0 : 1);
}

function search() {
  const asks = asksFor(query.value);
  results.replaceChildren();
  found.textContent = "";
  if (!asks.number && !asks.words.length) return;
  if (!lines) {
    found.textContent = "Looking …";
    load("search.js", () => { found.textContent = "search.js is not beside this page."; });
    return;
  }
  const hits = lines.filter((line) => matches(line, asks)).sort((a, b) => rank(a) - rank(b));
  found.textContent = `${hits.length} ${hits.length === 1 ? "place" : "places"}${hits.length > MOST ? `, the first ${MOST}` : ""}`;
  for (const { page, anchor, verdict, title, says } of hits.slice(0, MOST)) {
    const item = document.createElement("li");
    const file = page === paper ? "" : `${page}.html`;
    item.innerHTML = `<a href="${file}#${anchor}"><span class="mark ${verdict}">${SIGNS[verdict]}</span> ${title}</a> <span class="says">${says}</span>`;
    results.append(item);
  }
}

query.addEventListener("input", search);
document.getElementById("find").addEventListener("submit", (event) => {
  event.preventDefault();
  results.querySelector("a")?.click();
});
query.value = new URLSearchParams(location.search).get("q") || "";
search();
