"use strict";

// Every word of the query must occur somewhere in an entry; index.html?q=words links to a search.
const query = document.getElementById("query");
const found = document.getElementById("found");
const papers = [...document.querySelectorAll("details.paper")].map((fold) => ({
  fold,
  entries: [...fold.querySelectorAll("li")].map((item) => ({ item, text: item.textContent.toLowerCase() })),
}));

function search() {
  const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
  let all = 0;
  for (const { fold, entries } of papers) {
    let shown = 0;
    for (const { item, text } of entries) {
      item.hidden = !words.every((word) => text.includes(word));
      shown += item.hidden ? 0 : 1;
    }
    fold.hidden = shown === 0;
    fold.open = words.length > 0 && shown > 0;
    all += shown;
  }
  found.textContent = words.length ? `${all} ${all === 1 ? "entry" : "entries"}` : "";
}

query.addEventListener("input", search);
document.getElementById("find").addEventListener("submit", (event) => { event.preventDefault(); });
query.value = new URLSearchParams(location.search).get("q") || "";
search();
