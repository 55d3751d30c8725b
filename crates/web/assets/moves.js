// Shows a move that was made, and lets it be heard, as the settings of the visitor say.

const root = document.documentElement;
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** What a page shows of a game: which one, how many moves have been made, and whether it is over. */
export function state() {
  const game = document.getElementById("game");
  return game && { game: game.dataset.events, at: Number(game.dataset.at), over: game.hasAttribute("data-over") };
}

/** Shows and sounds the last move, if it was made since then. */
export function moved(before) {
  const now = state();
  if (!before || !now || now.game !== before.game || now.at <= before.at) return;
  if (!("still" in root.dataset) && !still.matches) show();
  if ("sounds" in root.dataset) sound(now.over);
}

function show() {
  for (const piece of document.querySelectorAll("#game .came")) {
    const from = piece.dataset.from?.split(" ");
    const over = piece.classList.contains("over");
    const start = from ? `translate(${from[0]}px, ${from[1]}px)` : over ? "scaleX(0)" : "scale(.4)";
    piece.animate([{ transform: start }, { transform: "none" }], { duration: over ? 320 : 220, easing: "ease-out" });
  }
  for (const piece of document.querySelectorAll("#game .taken")) {
    piece.animate([{ opacity: 1 }, { opacity: 0.38 }], { duration: 450, easing: "ease-in" });
  }
}

let audio = null;

/** A short tone, after so many seconds. */
function tone(pitch, after, length) {
  const start = audio.currentTime + after;
  const source = new OscillatorNode(audio, { type: "triangle", frequency: pitch });
  const volume = new GainNode(audio, { gain: 0 });
  volume.gain.setValueAtTime(0.25, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + length);
  source.connect(volume).connect(audio.destination);
  source.start(start);
  source.stop(start + length);
}

function sound(over) {
  audio ??= new AudioContext();
  audio.resume();
  const taken = document.querySelector("#game .taken");
  tone(taken ? 196 : 330, 0, 0.12);
  if (taken) tone(147, 0.09, 0.16);
  if (over) [262, 330, 392].forEach((pitch, n) => tone(pitch, 0.25 + n * 0.14, 0.4));
  root.dataset.heard = String(Number(root.dataset.heard ?? 0) + 1);
}
