// Makes the pages quicker and livelier. Everything works without it but the live parts.

import { moved, state } from "./moves.js";

const main = () => document.getElementById("main");
let source = null;
let closeFor = "";
// What had the focus when it went away, such as a point while the opponent thinks.
let lost = "";
addEventListener("focusin", () => { lost = ""; });

// A newer request makes an older one that is still tried again pointless.
let newest = 0;
let again = null;

/** Says that the server does not answer; what was entered is kept and sent again. */
function trouble(text) {
  const box = document.getElementById("trouble");
  box.querySelector("p").textContent = text;
  box.hidden = !text;
}

/** Fetches; tries again for as long as nobody answers. Nothing if something newer was asked for. */
async function ask(url, options) {
  const mine = ++newest;
  for (let wait = 1000; mine === newest; wait = Math.min(wait * 2, 10000)) {
    try {
      const response = await fetch(url, options);
      // Somebody between us and the server who cannot reach it either.
      if (![502, 503, 504].includes(response.status)) {
        trouble("");
        // What a form has led to is newer than any look at a page that is still on its way.
        if (options?.method === "POST") newest++;
        else if (mine !== newest) return null;
        return response;
      }
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
    if (mine !== newest) break;
    const kept = options?.method === "POST" ? "What you entered is kept. " : "";
    trouble(`The server does not answer. ${kept}Trying again…`);
    await new Promise((resolve) => {
      again = resolve;
      setTimeout(resolve, wait);
    });
  }
  return null;
}

/** Puts a freshly fetched page in the place of this one, keeping the focus. */
async function swap(response) {
  const mine = newest;
  const text = await response.text();
  if (mine !== newest) return;
  const page = new DOMParser().parseFromString(text, "text/html");
  const fresh = page.getElementById("main");
  if (!fresh) {
    location.assign(response.url);
    return;
  }
  const focus = document.activeElement?.id || lost;
  const before = state();
  main().replaceChildren(...fresh.childNodes);
  waiting = null;
  document.title = page.title;
  wake();
  moved(before);
  const kept = document.getElementById(focus) ?? onward(focus);
  if (kept) {
    if (kept.classList.contains("pt")) rove(kept);
    kept.focus({ preventScroll: true });
  }
  lost = kept ? "" : focus;
  const status = document.querySelector("[role=alert]") ?? document.getElementById("status");
  if (status) document.getElementById("announce").textContent = status.textContent.trim();
}

/** Where a move goes on if the button that answered a question, or let go, is there no more. */
function onward(gone) {
  if (!/^(choice-|back-step$|let-go$)/.test(gone)) return null;
  return document.querySelector(".rows button") ?? document.querySelector(".pt[tabindex='0']");
}

async function visit(url, push = true) {
  const response = await ask(url, { headers: { accept: "text/html" } });
  if (!response) return;
  if (push) history.pushState(null, "", response.url);
  await swap(response);
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (form.method !== "post" || form.hasAttribute("data-plain") || form.enctype.startsWith("multipart")) return;
  event.preventDefault();
  const data = new FormData(form, event.submitter);
  const response = await ask(form.action, { method: "POST", body: new URLSearchParams(data) });
  if (!response) return;
  // A move leads back to the same page: one step for the Back button, not one for each.
  if (response.redirected && response.url !== location.href) history.pushState(null, "", response.url);
  await swap(response);
});

document.addEventListener("click", (event) => {
  const row = event.target.closest("g.row");
  if (row) document.querySelector(`button[data-row="${row.dataset.row}"]`)?.click();
  if (event.target.closest("[data-again]")) again?.();
  const copy = event.target.closest("[data-copy]");
  if (copy) {
    const text = document.getElementById(copy.dataset.copy);
    text.select();
    navigator.clipboard?.writeText(text.value).then(() => { copy.textContent = "Copied"; });
  }
  if (event.target.closest("[data-keys]")) document.getElementById("keys").showModal();
  const link = event.target.closest("main a[href]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  const url = new URL(link.href);
  // Another view of the same thing: no need to leave the page.
  if (url.origin !== location.origin || url.pathname !== location.pathname || link.hasAttribute("data-plain")) return;
  event.preventDefault();
  visit(url.href);
});

// A form that shows what it will make.
document.addEventListener("change", async (event) => {
  const form = event.target.closest("form[data-preview]");
  if (!form) return;
  // What is chosen goes before what was written earlier.
  if (event.target.name === "start") form.elements.position.value = "";
  const wanted = new URLSearchParams(new FormData(form));
  const response = await fetch(`${form.dataset.preview}?${wanted}`).catch(() => null);
  if (!response?.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  document.getElementById("preview").replaceChildren(...page.getElementById("preview").childNodes);
});

addEventListener("popstate", () => visit(location.href, false));

// Whoever comes back from elsewhere sees the board as it is now, not as the browser has kept it.
addEventListener("pageshow", (event) => {
  const back = event.persisted || performance.getEntriesByType("navigation")[0]?.type === "back_forward";
  if (back && document.querySelector(".boardform, [data-events]")) visit(location.href, false);
});

/** The point nearest in a direction; on a hexagon the rows are shifted by half a step. */
function neighbour(point, dx, dy) {
  const [x, y] = [Number(point.dataset.x), Number(point.dataset.y)];
  let best = null;
  let least = Infinity;
  for (const other of document.querySelectorAll(".pt")) {
    const [u, v] = [Number(other.dataset.x) - x, Number(other.dataset.y) - y];
    const along = u * dx + v * dy;
    if (along <= 0.01) continue;
    const off = Math.abs(u * dy - v * dx);
    const score = along + off * 4;
    if (off <= along && score < least) [best, least] = [other, score];
  }
  return best;
}

/** Where an arrow key goes; on a hexagon two of them lean, and to the other side with Shift. */
function direction(event) {
  const points = [...document.querySelectorAll(".pt")];
  const lean = (axis) => points.some((point) => point.dataset[axis] % 1) ? (event.shiftKey ? 0.5 : -0.5) : 0;
  switch (event.key) {
    case "ArrowLeft": return [-1, -lean("y")];
    case "ArrowRight": return [1, lean("y")];
    case "ArrowUp": return [lean("x"), -1];
    case "ArrowDown": return [-lean("x"), 1];
    default: return null;
  }
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const at = document.activeElement;
  const typing = at?.matches("input, select, textarea");
  if (at?.classList.contains("pt")) {
    const way = direction(event);
    if (way) {
      event.preventDefault();
      const next = neighbour(at, ...way);
      if (next) {
        rove(next);
        next.focus();
      }
      return;
    }
    // A button hears the space bar by itself, a link does not.
    if (event.key === " " && at.matches("a")) {
      event.preventDefault();
      at.click();
      return;
    }
  } else if (!typing && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
    document.querySelector(`a[data-key="${event.key}"]`)?.click();
    return;
  }
  if (typing) return;
  // A mistake further on, or back.
  if (event.key === "n" || event.key === "p") document.querySelector(`a[data-key="${event.key}"]`)?.click();
  if (event.key === "?") document.getElementById("keys").showModal();
  if (event.key === "Escape") document.querySelector("[data-let-go]")?.click();
  if (event.key === "m") {
    const box = document.getElementById("typed");
    if (box) {
      event.preventDefault();
      box.focus();
    }
  }
});

/** One stop for the Tab key on a board; the arrow keys do the rest. */
function rove(point) {
  for (const other of document.querySelectorAll(".pt")) other.tabIndex = other === point ? 0 : -1;
}

// A click is lost if its target is renewed between press and release, so parts wait for that.
let pressed = false;
let waiting = null;
addEventListener("pointerdown", () => { pressed = true; });
for (const end of ["pointerup", "pointercancel"]) {
  addEventListener(end, () => setTimeout(() => { pressed = false; renew(); }, 50));
}

/** Puts in the latest live parts, keeping the focus and how far lists are scrolled. */
function renew() {
  const parts = waiting ?? {};
  waiting = null;
  for (const [id, html] of Object.entries(parts)) {
    const part = document.getElementById(id);
    if (!part) continue;
    const focus = part.contains(document.activeElement) ? document.activeElement.id : "";
    const lists = () => [...part.querySelectorAll(".scroll")];
    const tops = lists().map((list) => list.scrollTop);
    part.innerHTML = html;
    lists().forEach((list, i) => { list.scrollTop = tops[i] ?? 0; });
    if (focus) document.getElementById(focus)?.focus({ preventScroll: true });
  }
  points();
}

function listen() {
  const live = document.querySelector("[data-events]");
  const address = live?.dataset.events ?? "";
  if (address === closeFor && source?.readyState !== EventSource.CLOSED) return;
  source?.close();
  source = null;
  closeFor = address;
  if (!address) return;
  source = new EventSource(address);
  source.addEventListener("open", () => trouble(""));
  source.addEventListener("error", (event) => {
    if (event.target !== source) return;
    trouble("The connection to the server is lost. Trying again…");
    // The browser tries again by itself, unless it was refused.
    if (source.readyState === EventSource.CLOSED) setTimeout(() => { if (event.target === source) listen(); }, 3000);
  });
  source.addEventListener("changed", (event) => {
    const shown = document.querySelector("[data-stamp]")?.dataset;
    const past = new URLSearchParams(location.search).has("at");
    if (!shown || past || shown.stamp === event.data) return;
    history.replaceState(null, "", location.pathname);
    visit(location.pathname, false);
  });
  source.addEventListener("reload", () => visit(location.href, false));
  source.addEventListener("parts", (event) => {
    waiting = JSON.parse(event.data);
    if (!pressed) renew();
  });
  source.addEventListener("done", () => { source?.close(); source = null; });
}

function points() {
  const all = [...document.querySelectorAll(".pt")];
  if (!all.length || all.some((p) => p.tabIndex === 0 && p.hasAttribute("tabindex"))) return;
  const focused = all.find((p) => p === document.activeElement);
  rove(focused ?? all.find((p) => !p.hasAttribute("aria-disabled")) ?? all[0]);
}

let ticking = 0;
function tick() {
  for (const clock of document.querySelectorAll(".clock[data-running]")) {
    clock.began ??= performance.now();
    const left = Math.max(0, clock.dataset.left - (performance.now() - clock.began));
    const seconds = Math.ceil(left / 1000);
    clock.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    if (!left) {
      // The server says who has lost.
      clearInterval(ticking);
      visit(location.href, false);
    }
  }
}

function wake() {
  for (const button of document.querySelectorAll("[data-keys], [data-copy]")) button.hidden = false;
  for (const button of document.querySelectorAll("[data-no-script]")) button.hidden = true;
  document.querySelector(".moves a[aria-current]")?.scrollIntoView({ block: "nearest" });
  points();
  listen();
  clearInterval(ticking);
  if (document.querySelector(".clock[data-running]")) ticking = setInterval(tick, 250);
}

wake();
