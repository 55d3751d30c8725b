//! Invitations, logins, teams, and being forgotten.

use course::roster;
use course::secret::hash_password;
use course::store::MOST_TOKENS;

use crate::Class;

#[test]
fn an_invitation_is_used_once() {
    let class = Class::new();
    let store = &class.open_course.store;
    let secret = store
        .invite_again(class.person("a").id, class.person("b").id)
        .unwrap();
    assert_eq!(store.invited(&secret).unwrap().unwrap().login, "a");
    assert!(store.invited("something else").unwrap().is_none());
    let hash = hash_password("correct horse");
    let anna = store.accept(&secret, &hash).unwrap().unwrap();
    assert!(anna.active);
    assert!(store.accept(&secret, &hash).unwrap().is_none());
    let (id, kept) = store.password_of("a").unwrap().unwrap();
    assert_eq!((id, kept.as_deref()), (anna.id, Some(hash.as_str())));
}

#[test]
fn links_that_were_sent_stay_until_one_is_used() {
    let class = Class::new();
    let store = &class.open_course.store;
    let roster = roster::read("name,id\nAnna,a\n").unwrap();
    let link = || store.add(&roster).unwrap()[0].secret.clone().unwrap();
    let (sent, printed) = (link(), link());
    let hash = hash_password("correct horse");
    assert!(store.invited(&printed).unwrap().is_some());
    assert!(store.accept(&sent, &hash).unwrap().is_some());
    assert!(store.accept(&printed, &hash).unwrap().is_none());
    assert_eq!(store.add(&roster).unwrap()[0].secret, None);
    // Whoever asks staff for a new one may have lost the others.
    let lost = store.invite_again(class.person("a").id, 1).unwrap();
    store.invite_again(class.person("a").id, 1).unwrap();
    assert!(store.invited(&lost).unwrap().is_none());
}

#[test]
fn logins_end_alone_and_together() {
    let class = Class::new();
    let store = &class.open_course.store;
    let id = class.person("a").id;
    let [one, two, three] = [(); 3].map(|()| store.log_in(id).unwrap());
    store.log_out(&one).unwrap();
    assert!(store.logged_in(&one).unwrap().is_none());
    assert_eq!(store.logged_in(&two).unwrap().unwrap().id, id);
    store.log_out_everywhere(id).unwrap();
    assert!(store.logged_in(&three).unwrap().is_none());
    let four = store.log_in(id).unwrap();
    store.expire_logins(id).unwrap();
    assert!(store.logged_in(&four).unwrap().is_none());
}

#[test]
fn tokens_are_for_their_owner() {
    let class = Class::new();
    let store = &class.open_course.store;
    let (anna, bo) = (class.person("a"), class.person("b"));
    let token = store.new_token(anna.id, "mine").unwrap().unwrap();
    assert_eq!(store.token_of(&token).unwrap().unwrap().id, anna.id);
    assert!(store.logged_in(&token).unwrap().is_none());
    let row = store.tokens(anna.id).unwrap()[0].id;
    assert!(!store.end_token(bo.id, row).unwrap());
    assert!(store.end_token(anna.id, row).unwrap());
    assert!(store.token_of(&token).unwrap().is_none());
}

#[test]
fn nobody_gets_more_tokens_than_there_may_be() {
    let class = Class::new();
    let (anna, bo) = (class.person("a"), class.person("b"));
    let store = &class.open_course.store;
    let made: usize = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| {
                let make = || store.new_token(anna.id, "x").unwrap().is_some();
                scope.spawn(move || (0..5).filter(|_| make()).count())
            })
            .collect();
        threads.into_iter().map(|t| t.join().unwrap()).sum()
    });
    assert_eq!(made as i64, MOST_TOKENS);
    assert_eq!(store.tokens(anna.id).unwrap().len(), made);
    assert!(store.new_token(bo.id, "x").unwrap().is_some());
}

#[test]
fn teams_follow_the_roster() {
    let class = Class::new();
    let [anna, bo, ceci] = ["a", "b", "c"].map(|login| class.person(login));
    assert_eq!(bo.team, ceci.team);
    assert_ne!(anna.team, bo.team);
    assert_eq!(
        class
            .open_course
            .store
            .extension(class.person("d").team)
            .unwrap(),
        3_600_000
    );
    // The same roster again changes nothing; another one moves people.
    class
        .open_course
        .store
        .add(&roster::read(crate::ROSTER).unwrap())
        .unwrap();
    assert_eq!(class.person("c").team, bo.team);
    let moved = roster::read("name,id,team\nAnna,a,red\nCeci,c,\n").unwrap();
    class.open_course.store.add(&moved).unwrap();
    assert_eq!(class.person("a").team, bo.team);
    assert_ne!(class.person("c").team, bo.team);
}

/// Takes a roster over.
fn take_over(class: &Class, text: &str) {
    let entries = roster::read(text).unwrap();
    class.open_course.store.add(&entries).unwrap();
}

#[test]
fn what_a_roster_does_not_say_stays() {
    let class = Class::new();
    take_over(&class, "name,id,e-mail,role\nSteffi,s,s@x.se,staff\n");
    let before = class.open_course.store.people().unwrap();
    take_over(&class, "name,id\nAnna,a\nBo,b\nCeci,c\nDan,d\nSteffi,s\n");
    assert_eq!(class.open_course.store.people().unwrap(), before);
    // Nor does a line that is too short.
    take_over(&class, "name,id,team,extension\nDan,d\nBo,b\n");
    assert_eq!(class.open_course.store.people().unwrap(), before);
    // An empty field does.
    take_over(&class, "name,id,extension,e-mail\nDan,d,,\nSteffi,s,,\n");
    assert_eq!(class.person("d").extension, 0);
    assert_eq!(class.person("s").email, "");
}

#[test]
fn a_team_keeps_what_it_handed_in_under_a_new_name() {
    let class = Class::new();
    let team = |login: &str| class.person(login).team;
    let [anna, red, dan] = ["a", "b", "d"].map(team);
    take_over(
        &class,
        "name,id,team\nBo,b,blue\nCeci,c,blue\nAnna,a,blue\n",
    );
    assert_eq!(["a", "b", "c"].map(team), [red; 3]);
    assert_eq!(class.person("a").team_name, "blue");
    // Part of a team is another one, unless the name is there.
    take_over(&class, "name,id,team\nBo,b,green\n");
    let green = team("b");
    assert!(![anna, red, dan].contains(&green));
    assert_eq!(["a", "c"].map(team), [red; 2]);
    // Two teams exchange their names.
    take_over(
        &class,
        "name,id,team\nBo,b,blue\nAnna,a,green\nCeci,c,green\n",
    );
    assert_eq!(["a", "b", "c"].map(team), [red, green, red]);
    // Two teams become one.
    take_over(&class, "name,id,team\nBo,b,all\nAnna,a,all\nCeci,c,all\n");
    assert_eq!(["a", "b", "c"].map(team), [red; 3]);
    // Who is left alone takes nothing along, and who was alone already does.
    take_over(&class, "name,id,team\nBo,b,\nDan,d,solo\n");
    assert_eq!(["a", "c", "d"].map(team), [red, red, dan]);
    assert!(![red, green, dan].contains(&team("b")));
    take_over(&class, "name,id,team\nDan,d,\n");
    assert_eq!(team("d"), dan);
}

#[test]
fn pseudonyms_are_unique() {
    let class = Class::new();
    let (anna, bo) = (class.person("a"), class.person("b"));
    assert!(class.open_course.store.rename(anna.team, "Zorro").unwrap());
    assert!(!class.open_course.store.rename(bo.team, "Zorro").unwrap());
    assert_eq!(class.person("a").pseudonym, "Zorro");
}

#[test]
fn nobody_is_taken_for_somebody_else() {
    let class = Class::new();
    let (anna, bo) = (class.person("a"), class.person("b"));
    let open_course = &class.open_course;
    let refusal = |text: &str| open_course.rename(&bo, text).unwrap_err().to_string();
    open_course.rename(&anna, "Zed").unwrap();
    for like in ["Zed", "ZED", "z\u{e9}d", "Z.E.D."] {
        let said = refusal(like);
        assert!(said.starts_with("somebody else is called"), "{said}");
    }
    assert!(refusal("Z\u{435}d").contains("Latin letters"));
    assert!(refusal("Staff").contains("of the staff"));
    let said = refusal("Random");
    assert_eq!(said, "a reference of this course is called \"Random\"");
    // One's own may be written in another way.
    open_course.rename(&anna, "ZED").unwrap();
    open_course.rename(&bo, "Zorro").unwrap();
    assert_eq!(class.person("a").pseudonym, "ZED");
}

#[test]
fn who_is_forgotten_leaves_no_trace_but_numbers() {
    let class = Class::new();
    let store = &class.open_course.store;
    let names = "name,id,email\nFrieda Unverwechselbar,f-4711,frieda@example.org\n";
    store.add(&roster::read(names).unwrap()).unwrap();
    let frieda = class.person("f-4711");
    store.rename(frieda.team, "Friedas Pseudonym").unwrap();
    store.new_token(frieda.id, "x").unwrap().unwrap();
    let version = class.hand_in("f-4711", "good.c").unwrap();
    assert!(store.forget("f-4711").unwrap());
    assert!(!store.forget("f-4711").unwrap());
    let left = store.person(frieda.id).unwrap().unwrap();
    assert_eq!((left.name.as_str(), left.login.as_str()), ("", ""));
    assert_eq!(
        store.version(version.id).unwrap().unwrap().person,
        frieda.id
    );
    let class = class.restarted();
    for entry in std::fs::read_dir(class.folder.path()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            let bytes = std::fs::read(&path).unwrap();
            let text = String::from_utf8_lossy(&bytes);
            for trace in ["Unverwechselbar", "f-4711", "frieda@", "Friedas"] {
                assert!(!text.contains(trace), "{trace} in {}", path.display());
            }
        }
    }
}

#[test]
fn hand_ins_and_the_log_are_only_added_to() {
    let class = Class::new();
    class.hand_in("a", "good.c").unwrap();
    let path = class.folder.path().join("course.db");
    let db = rusqlite::Connection::open(path).unwrap();
    for change in [
        "UPDATE version SET hash = ''",
        "DELETE FROM version",
        "DELETE FROM audit",
        "UPDATE audit SET what = ''",
    ] {
        assert!(db.execute(change, ()).is_err(), "{change}");
    }
}

#[test]
fn sources_of_ids_that_look_alike_are_kept_apart() {
    let class = Class::new();
    take_over(&class, "name,id\nEve,a/b\nEva,A_b\n");
    class.hand_in("a/b", "good.c").unwrap();
    class.hand_in("A_b", "other.c").unwrap();
    let open_course = &class.open_course;
    let assignment = &open_course.course.assignments[0];
    let packed = open_course.sources(assignment).unwrap();
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(packed));
    let entries = archive.entries().unwrap();
    let paths = entries.map(|entry| entry.unwrap().path().unwrap().display().to_string());
    let mut files: Vec<String> = paths.filter(|path| path.ends_with(".c")).collect();
    files.sort();
    let team = class.person("A_b").team;
    let expected = [
        format!("othello/A_b-team-{team}/other.c"),
        "othello/a_b/good.c".to_string(),
    ];
    assert_eq!(files, expected);
    // What somebody has removed is not in the way of the others.
    let versions = open_course.store.latest("othello").unwrap();
    let gone = versions
        .iter()
        .find(|version| version.team == team)
        .unwrap();
    std::fs::remove_dir_all(open_course.folder(gone)).unwrap();
    let packed = open_course.sources(assignment).unwrap();
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(packed));
    let mut files = std::collections::BTreeMap::new();
    for entry in archive.entries().unwrap() {
        let mut entry = entry.unwrap();
        let path = entry.path().unwrap().display().to_string();
        files.insert(path, std::io::read_to_string(&mut entry).unwrap());
    }
    assert!(files.contains_key("othello/a_b/good.c"), "{files:?}");
    assert_eq!(
        files["othello/MISSING.txt"],
        format!(
            "A_b-team-{team}: version 1 is not there any more: {}\n",
            gone.hash
        )
    );
    // Nothing is left of it on the disk.
    let incoming = class.folder.path().join("incoming");
    assert_eq!(std::fs::read_dir(incoming).unwrap().count(), 0);
}
