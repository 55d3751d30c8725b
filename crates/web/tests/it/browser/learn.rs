//! Tutorials by mouse, with progress that is kept.

use crate::visit::{check_axe, check_width, visit};

const SOLVED: &str = "/Solved/.test(document.getElementById('status')?.innerText ?? '')";

#[test]
fn a_tutorial_by_mouse() {
    let Some(visit) = visit() else { return };
    let browser = &visit.browser;
    browser.go("/learn");
    check_axe(browser);
    browser.click("a[href='/learn/reversi']");
    browser.click("a.primary");
    browser.wait("location.pathname === '/learn/reversi/1'");
    check_axe(browser);
    // A square that encloses nothing is refused with the reason.
    browser.click("#pt-a1");
    browser.wait("/a1: /.test(document.querySelector('.problem')?.innerText ?? '')");
    browser.click("#pt-d3");
    browser.wait(SOLVED);
    check_axe(browser);
    browser.click("a.primary");
    browser.wait("location.pathname === '/learn/reversi/2'");
    // A legal move that is not what was asked for.
    browser.click("#pt-c8");
    browser.wait("/line of five/.test(document.querySelector('.problem')?.innerText ?? '')");
    browser.click("#pt-g1");
    browser.wait(SOLVED);
    // Kept, and begun again where it was left.
    browser.go("/learn/reversi");
    browser.wait("document.querySelectorAll('.lessons .tag').length === 2");
    browser.click("a.primary");
    browser.wait("location.pathname === '/learn/reversi/3'");
    // A move of two steps, on a phone.
    browser.resize(375, 812);
    browser.go("/learn/gipf/5");
    check_width(browser);
    browser.click("#pt-a1");
    browser.wait("document.querySelector('[name=picks]').value === 'a1'");
    browser.click("#pt-b2");
    browser.wait(SOLVED);
    check_width(browser);
}
