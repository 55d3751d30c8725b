//! Plots as inline SVG.

use std::fmt::Write as _;

use super::escape;
use crate::standings::{Standing, Standings};
use crate::store::GameRow;

/// Ratings with their 95 % intervals, one line per player.
pub(super) fn ratings(standings: &Standings) -> String {
    const LEFT: f64 = 190.0;
    const WIDTH: f64 = 560.0;
    const LINE: f64 = 26.0;
    let rows = &standings.rows;
    let rated = || rows.iter().filter_map(Standing::rated);
    let low = rated().map(|r| r.elo - r.error).fold(0.0, f64::min);
    let high = rated().map(|r| r.elo + r.error).fold(0.0, f64::max);
    let step = tick(high - low, 6.0);
    let (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
    let x = |elo: f64| LEFT + (elo - low) / (high - low).max(1.0) * WIDTH;
    let bottom = rows.len() as f64 * LINE + 8.0;
    let mut svg = open(
        LEFT + WIDTH + 70.0,
        bottom + 26.0,
        "Ratings with 95 % intervals",
    );
    let mut at = low;
    while at <= high + step / 2.0 {
        line(&mut svg, "grid", (x(at), 0.0), (x(at), bottom));
        text(&mut svg, "middle", (x(at), bottom + 18.0), &signed(at));
        at += step;
    }
    for (number, row) in rows.iter().enumerate() {
        let y = (number as f64 + 0.5) * LINE + 4.0;
        let name: String = row.name.chars().take(24).collect();
        text(&mut svg, "end", (LEFT - 12.0, y + 4.0), &name);
        let Some(rating) = row.rated() else {
            continue;
        };
        let (elo, error) = (rating.elo, rating.error);
        line(&mut svg, "bar", (x(elo - error), y), (x(elo + error), y));
        for end in [elo - error, elo + error] {
            line(&mut svg, "bar", (x(end), y - 5.0), (x(end), y + 5.0));
        }
        put(
            &mut svg,
            &format!(
                "<circle class=\"dot\" cx=\"{:.1}\" cy=\"{y:.1}\" r=\"5\"><title>{}: {:.1}</title></circle>",
                x(elo),
                escape(&row.name),
                rating
            ),
        );
    }
    svg + "</svg>"
}

/// The points of the best players over the games, as a share of what they could have.
pub(super) fn points(standings: &Standings, games: &[GameRow]) -> String {
    const SHOWN: usize = 8;
    let (left, width, height) = (44.0, 620.0, 260.0);
    let mut order: Vec<&GameRow> = games.iter().collect();
    order.sort_by(|a, b| (a.finished, &a.id).cmp(&(b.finished, &b.id)));
    let players = standings.crosstable.len();
    let mut sums = vec![(0u32, 0u32); players];
    let mut lines: Vec<Vec<(usize, f64)>> = vec![Vec::new(); players];
    for (number, game) in order.iter().enumerate() {
        for player in [game.first, game.second] {
            let own = game.played().half_points_of(player).unwrap_or(0);
            let (points, most) = &mut sums[player];
            *points += u32::from(own);
            *most += 2;
            lines[player].push((number + 1, f64::from(*points) / f64::from(*most)));
        }
    }
    let mut svg = open(
        left + width + 190.0,
        height + 40.0,
        "Share of points over the games",
    );
    let x = |game: usize| left + game as f64 / games.len().max(1) as f64 * width;
    let y = |share: f64| 8.0 + (1.0 - share) * height;
    for quarter in 0..=4 {
        let share = f64::from(quarter) / 4.0;
        line(&mut svg, "grid", (left, y(share)), (left + width, y(share)));
        text(
            &mut svg,
            "end",
            (left - 6.0, y(share) + 4.0),
            &format!("{:.0} %", share * 100.0),
        );
    }
    text(
        &mut svg,
        "middle",
        (left + width / 2.0, height + 34.0),
        "games",
    );
    for (number, row) in standings.rows.iter().take(SHOWN).enumerate() {
        let line = thin_out(&lines[row.player], 300);
        let path: Vec<String> = line
            .iter()
            .map(|&(game, share)| format!("{:.1},{:.1}", x(game), y(share)))
            .collect();
        put(
            &mut svg,
            &format!(
                "<polyline class=\"line c{number}\" points=\"{}\"/>",
                path.join(" ")
            ),
        );
        let key = 16.0 + number as f64 * 22.0;
        let start = left + width + 14.0;
        put(
            &mut svg,
            &format!(
                "<polyline class=\"line c{number}\" points=\"{start:.1},{key:.1} {:.1},{key:.1}\"/>",
                start + 22.0
            ),
        );
        let name: String = row.name.chars().take(18).collect();
        text(&mut svg, "start", (start + 28.0, key + 4.0), &name);
    }
    svg + "</svg>"
}

/// At most about `most` points of a line, the last one always.
fn thin_out<T: Copy>(line: &[T], most: usize) -> Vec<T> {
    let every = line.len().div_ceil(most).max(1);
    let mut thin: Vec<T> = line.iter().copied().step_by(every).collect();
    if line.len() % every != 1 && every > 1 {
        thin.extend(line.last());
    }
    thin
}

/// A round distance between ticks, for about `count` of them.
fn tick(range: f64, count: f64) -> f64 {
    let raw = (range / count).max(1.0);
    let power = 10f64.powf(raw.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .map(|factor| factor * power)
        .into_iter()
        .find(|&step| step >= raw)
        .unwrap_or(10.0 * power)
}

/// With its sign, unless it is nothing.
fn signed(number: f64) -> String {
    match number.round() {
        0.0 => "0".into(),
        number => format!("{number:+}"),
    }
}

fn open(width: f64, height: f64, label: &str) -> String {
    format!(
        "<svg class=\"plot\" role=\"img\" aria-label=\"{label}\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\">"
    )
}

fn line(svg: &mut String, class: &str, from: (f64, f64), to: (f64, f64)) {
    put(
        svg,
        &format!(
            "<line class=\"{class}\" x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\"/>",
            from.0, from.1, to.0, to.1
        ),
    );
}

fn text(svg: &mut String, anchor: &str, (x, y): (f64, f64), content: &str) {
    let content = escape(content);
    put(
        svg,
        &format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{content}</text>"),
    );
}

fn put(svg: &mut String, element: &str) {
    writeln!(svg, "{element}").expect("a string takes everything");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        for (range, step) in [(60.0, 10.0), (100.0, 20.0), (1000.0, 200.0), (0.0, 1.0)] {
            assert_eq!(tick(range, 6.0), step, "{range}");
        }
    }

    #[test]
    fn thinned_lines_keep_their_ends() {
        let line: Vec<u32> = (0..1000).collect();
        let thin = thin_out(&line, 300);
        assert!(thin.len() <= 302);
        assert_eq!((thin[0], *thin.last().unwrap()), (0, 999));
        assert_eq!(thin_out(&[1, 2, 3], 300), [1, 2, 3]);
        assert!(thin_out::<u32>(&[], 300).is_empty());
    }
}
