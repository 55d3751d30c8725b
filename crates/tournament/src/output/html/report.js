"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const $ = (id) => document.getElementById(id);
  const PAGE = 25;
  const SCORE = ["0–1", "½–½", "1–0"];
  let page = 0;
  let replay = null;
  let at = 0;

  const element = (name, attributes, text) => {
    const svg = "http://www.w3.org/2000/svg";
    const node = document.createElementNS(svg, name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    if (text !== undefined) node.textContent = text;
    return node;
  };
  const make = (name, text) => {
    const node = document.createElement(name);
    if (text !== undefined) node.textContent = text;
    return node;
  };

  // The list of games.
  $("side0").textContent = data.sides[0];
  $("side1").textContent = data.sides[1];
  data.players.forEach((name, number) => {
    const option = make("option", name);
    option.value = number;
    $("player").append(option);
  });

  const chosen = () => {
    const player = $("player").value;
    const show = $("show").value;
    return data.games.filter(([id, first, second, , ending]) =>
      (player === "" || first === +player || second === +player) &&
      (show !== "replay" || data.replays.games[id]) &&
      (show !== "odd" || ending !== "by the rules"));
  };

  const list = () => {
    const games = chosen();
    const pages = Math.max(1, Math.ceil(games.length / PAGE));
    page = Math.min(Math.max(page, 0), pages - 1);
    const body = $("list").tBodies[0];
    body.replaceChildren();
    for (const [id, first, second, score, ending, turns] of games.slice(page * PAGE, (page + 1) * PAGE)) {
      const row = body.insertRow();
      const cell = row.insertCell();
      if (data.replays.games[id]) {
        const button = make("button", id);
        button.type = "button";
        button.className = "link";
        button.addEventListener("click", () => { location.hash = id; });
        cell.append(button);
      } else {
        cell.textContent = id;
      }
      for (const text of [data.players[first], data.players[second], SCORE[score], turns, ending]) {
        row.insertCell().textContent = text;
      }
    }
    const from = games.length ? page * PAGE + 1 : 0;
    $("range").textContent = `${from}–${Math.min((page + 1) * PAGE, games.length)} of ${games.length}`;
    $("back").disabled = page === 0;
    $("more").disabled = page >= pages - 1;
  };

  // The board.
  const SLOPE = Math.sqrt(3) / 2;
  const placesOf = (board) => {
    const slope = board.kind === "hexagon" ? SLOPE : 1;
    // Half rows: columns stand upright.
    const upright = board.spots.some(([, , y]) => y % 1);
    return board.spots.map(([, x, y]) => upright ? [x * slope, y] : [x, y * slope]);
  };

  const draw = () => {
    const board = data.replays.boards[replay.board];
    const places = placesOf(board);
    const pieces = [...replay.start];
    let fresh = [];
    replay.turns.slice(0, at).forEach(([, , changes]) => {
      fresh = [];
      for (let i = 0; i < changes.length; i += 2) {
        pieces[changes[i]] = changes[i + 1];
        fresh.push(changes[i]);
      }
    });
    const right = Math.max(...places.map(([x]) => x));
    const down = Math.max(...places.map(([, y]) => y));
    const svg = $("board");
    svg.replaceChildren();
    svg.setAttribute("viewBox", `-1 -1 ${right + 2} ${down + 2}`);
    svg.setAttribute("class", board.kind);
    if (board.kind === "hexagon") {
      places.forEach(([x, y], i) => places.forEach(([u, v], j) => {
        const rim = board.spots[i][3] && board.spots[j][3];
        if (i < j && !rim && Math.abs(Math.hypot(x - u, y - v) - 1) < 0.05) {
          svg.append(element("line", { class: "way", x1: x, y1: y, x2: u, y2: v }));
        }
      }));
    }
    board.spots.forEach(([name, x, y, dot], i) => {
      const [cx, cy] = places[i];
      if (board.kind === "hexagon") {
        if (dot) svg.append(element("circle", { class: "rim", cx, cy, r: 0.07 }));
      } else {
        const odd = board.kind === "field" && (x + y) % 2 ? " sq-odd" : "";
        const kind = pieces[i] === "*" ? "hole" : `sq-${board.kind}${odd}`;
        svg.append(element("rect", { class: kind, x: x - 0.5, y: y - 0.5, width: 1, height: 1, "stroke-width": 0.03 }));
        if (y === 0) svg.append(element("text", { x, y: -0.62 }, name[0]));
        if (x === 0) svg.append(element("text", { x: -0.75, y: y + 0.1 }, name.slice(1)));
      }
      if ("0123".includes(pieces[i])) {
        const side = pieces[i] % 2;
        const stacked = pieces[i] > 1;
        const mark = fresh.includes(i) ? " new" : "";
        const disc = (lift) => element("circle",
          { class: `p${side}${mark}`, cx, cy: cy - lift, r: 0.41, "stroke-width": 0.04 });
        if (stacked) svg.append(disc(-0.05));
        const top = disc(stacked ? 0.11 : 0);
        top.append(element("title", {}, `${name}: ${data.sides[side]}${stacked ? ", stacked" : ""}`));
        svg.append(top);
        if (stacked) svg.append(element("circle", { class: `p${1 - side}`, cx, cy: cy - 0.11, r: 0.12 }));
        // Colour alone does not say whose piece it is.
        if (board.kind === "field") {
          svg.append(element("text", { class: "letter", x: cx, y: cy + 0.13 }, data.sides[side]));
        }
      }
    });
  };

  const show = (turn) => {
    if (!replay) return;
    at = Math.min(Math.max(turn, 0), replay.turns.length);
    $("turn").value = at;
    [...$("moves").children].forEach((item, i) => {
      item.classList.toggle("at", i + 1 === at);
      if (i + 1 === at) item.scrollIntoView({ block: "nearest" });
    });
    $("now").textContent = at === 0 ? "start" :
      `turn ${at}: ${data.sides[replay.turns[at - 1][0]]} ${replay.turns[at - 1][1]}`;
    draw();
  };

  const open = () => {
    const id = decodeURIComponent(location.hash.slice(1));
    const game = data.games.find(([name]) => name === id);
    if (!game || !data.replays.games[id]) return;
    replay = data.replays.games[id];
    const [, first, second, score, ending] = game;
    $("replay-title").textContent =
      `${data.players[first]} – ${data.players[second]}  ${SCORE[score]}, ${ending}`;
    $("moves").replaceChildren(...replay.turns.map(([side, text, , wall, cpu], i) => {
      const item = make("li", `${data.sides[side]} ${text}`);
      item.append(make("span", `${(wall / 1e6).toFixed(3)} s, processor ${(cpu / 1e6).toFixed(3)} s`));
      item.addEventListener("click", () => show(i + 1));
      return item;
    }));
    $("turn").max = replay.turns.length;
    $("replay").hidden = false;
    show(0);
    $("replay").scrollIntoView({ block: "start" });
  };

  const turnPage = (by) => { page += by; list(); };
  $("player").addEventListener("change", () => { page = 0; list(); });
  $("show").addEventListener("change", () => { page = 0; list(); });
  $("back").addEventListener("click", () => turnPage(-1));
  $("more").addEventListener("click", () => turnPage(1));
  $("first").addEventListener("click", () => show(0));
  $("prev").addEventListener("click", () => show(at - 1));
  $("next").addEventListener("click", () => show(at + 1));
  $("last").addEventListener("click", () => show(Infinity));
  $("turn").addEventListener("input", () => show(+$("turn").value));
  addEventListener("hashchange", open);
  addEventListener("keydown", (event) => {
    if (!replay || event.target.matches("input, select")) return;
    if (event.key === "ArrowLeft") show(at - 1);
    if (event.key === "ArrowRight") show(at + 1);
  });
  list();
  open();
})();
