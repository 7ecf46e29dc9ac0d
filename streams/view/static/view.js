// Keys, lists and the step slider. Everything here can be done without it, by links and forms.
"use strict";

const replay = document.getElementById("replay");
const dialog = document.getElementById("help");
const kept = new Map();
const MOST_KEPT = 400;

function address(step, part) {
  const query = new URLSearchParams({ session: replay.dataset.session, round: replay.dataset.round, step });
  if (replay.dataset.rules) query.set("rules", replay.dataset.rules);
  if (part) query.set("part", "step");
  return `/round?${query}`;
}

function fetched(step) {
  if (!kept.has(step)) {
    if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value);
    const answer = fetch(address(step, true), { credentials: "omit" }).then((response) => {
      if (!response.ok) throw new Error(String(response.status));
      return response.text();
    });
    answer.catch(() => kept.delete(step));
    kept.set(step, answer);
  }
  return kept.get(step);
}

let wanted = replay ? Number(document.getElementById("stage").dataset.at) : 0;

async function show(step) {
  const count = Number(replay.dataset.count);
  wanted = Math.min(Math.max(step, 1), count);
  const asked = wanted;
  let html;
  try {
    html = await fetched(asked);
  } catch {
    location.href = address(asked, false);
    return;
  }
  if (asked !== wanted) return;
  const stage = document.getElementById("stage");
  const focused = stage.contains(document.activeElement) ? document.activeElement.id : "";
  const open = stage.querySelector("details")?.open;
  stage.innerHTML = html;
  stage.dataset.at = String(asked);
  if (open) stage.querySelector("details")?.setAttribute("open", "");
  const again = focused && document.getElementById(focused);
  if (again && again.matches("a[href]")) again.focus();
  else if (focused) document.getElementById("slider").focus();
  document.getElementById("slider").value = String(asked);
  document.querySelector('.judge input[name="step"]').value = String(asked);
  document.querySelector('#events [aria-current="step"]')?.removeAttribute("aria-current");
  const line = document.querySelector(`#events [data-step="${asked}"]`);
  if (line) {
    line.setAttribute("aria-current", "step");
    line.scrollIntoView({ block: "nearest" });
  }
  document.getElementById("live").textContent = document.getElementById("what").textContent;
  history.replaceState(null, "", address(asked, false));
  for (const near of [asked + 1, asked + 2, asked - 1]) if (near >= 1 && near <= count) fetched(near).catch(() => {});
}

/** The step of this round that a link leads to; 0 where it leads elsewhere. */
function stepOf(link) {
  const to = new URL(link.href);
  const query = to.searchParams;
  if (to.pathname !== "/round" || !query.has("step") || query.get("round") !== replay.dataset.round) return 0;
  return Number(query.get("step"));
}

if (replay) {
  document.getElementById("slider").addEventListener("input", (event) => show(Number(event.target.value)));
  replay.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    const step = stepOf(link);
    if (!step) return;
    event.preventDefault();
    show(step);
  });
  document.getElementById("rules").addEventListener("change", (event) => {
    if (event.target.dataset.byKey !== "yes") event.target.form.requestSubmit();
  });
  document.getElementById("rules").addEventListener("keydown", (event) => {
    event.target.dataset.byKey = "yes";
    if (event.key === "Enter") {
      event.preventDefault();
      event.target.form.requestSubmit();
    }
  });
  document.getElementById("rules").addEventListener("pointerdown", (event) => (event.target.dataset.byKey = "no"));
  document.querySelector('#events [aria-current="step"]')?.scrollIntoView({ block: "nearest" });
  for (const near of [wanted + 1, wanted - 1]) {
    if (near >= 1 && near <= Number(replay.dataset.count)) fetched(near).catch(() => {});
  }
}

function walk(way) {
  const links = [...document.querySelectorAll(document.querySelector("a.go") ? "a.go" : "#events a")];
  if (!links.length) return;
  const at = links.indexOf(document.activeElement);
  const next = links[at < 0 ? (way > 0 ? 0 : links.length - 1) : Math.min(Math.max(at + way, 0), links.length - 1)];
  next.focus();
  next.scrollIntoView({ block: "nearest" });
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const field = event.target.closest("input, select, textarea");
  if (dialog.open || (field && field.id !== "slider")) return;
  if (field && ["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) return;
  if (event.key === "?") {
    event.preventDefault();
    dialog.showModal();
    return;
  }
  if (event.key === "j" || event.key === "k") {
    event.preventDefault();
    walk(event.key === "j" ? 1 : -1);
    return;
  }
  const target = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (!target) return;
  event.preventDefault();
  if (target.matches("a")) target.click();
  else target.focus();
});

document.getElementById("help-link").addEventListener("click", (event) => {
  event.preventDefault();
  dialog.showModal();
});
