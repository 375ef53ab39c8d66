//! Prompts of the UI's composer, sent to the real claude: attached images, the order of the prompt queue, and
//! sending immediately.

use crate::{real_claude::RealSession, support::TIMEOUT};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use bc_host::{Activity, protocol::Delivery};
use bc_testkit::wait_until;

/// A PNG image of 8 × 8 pixels, encoded in Base64.
const IMAGE: &str = "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAA0ElEQVR4nGNgYOcTlVHWMrSwd/MNiU7KLCiva+2ZPGshA6+ItJKmgbmdq09wVGJGflltS/ekmQuWr2OQUtTQN7N18Q6KTEjPK61p7po4Y/6ytVt2M6jrmdo4ewVGxKflllQ3dU6YPm/pms27Dp5gMLF28gwIj0vNKa5q7OifNnfJ6k07Dxw/d5XB0cM/LDYlu6iyob1v6pzFqzbu2H/s7JXbjxj8QmOSswor6tt6p8xetHLD9n1Hz1y+9fDFewYkF65Yv23vkdOXbj54/u7rHwDxSl6BYkTbfwAAAABJRU5ErkJggg==";

/// The number of images in the last request to the scripted API.
fn images(real: &RealSession) -> usize {
    let body = real.api.conversation().last().unwrap().body.clone();
    let blocks =
        body["messages"].as_array().unwrap().iter().filter_map(|m| m["content"].as_array()).flatten();
    blocks.filter(|block| block["type"] == "image").count()
}

#[test]
fn attached_images_reach_the_model_and_are_kept_with_the_session() {
    let test = "attached_images_reach_the_model_and_are_kept_with_the_session";
    let Some(real) = RealSession::started(test, None) else { return };
    real.live.wait_activity(Activity::Idle);
    let bytes = STANDARD.decode(IMAGE).unwrap();
    let mentions = ["0a1b2c3d-shot.png", "1a1b2c3d-with-more.png"].map(|name| {
        let path = real.live.session().save_attachment(name, &bytes).unwrap();
        format!("@{}", path.display())
    });
    real.send(&format!("{} what is this?", mentions.join(" ")));
    real.live.wait_recorded("what is this?");
    real.live.wait_activity(Activity::Idle);
    assert_eq!(images(&real), 2);
    let messages = real.live.messages();
    let prompt = messages.iter().find(|message| message.content.contains("what is this?")).unwrap();
    let names: Vec<&str> = prompt.images.iter().flatten().map(|image| image.name.as_str()).collect();
    assert!(!names.is_empty(), "{prompt:?}");
    wait_until("the images on disk", TIMEOUT, || {
        names.iter().all(|name| real.live.session().image(name).unwrap().is_some())
    });

    // An image without any text.
    real.send(&mentions[0]);
    wait_until("the third image", TIMEOUT, || images(&real) == 3);
    real.live.wait_activity(Activity::Idle);
    assert_eq!(real.live.status().held, vec![]);
}

#[test]
fn queued_texts_are_sent_in_their_new_order_and_wording() {
    let test = "queued_texts_are_sent_in_their_new_order_and_wording";
    let Some(real) = RealSession::started(test, None) else { return };
    real.live.wait_activity(Activity::Idle);
    real.send("[[slow:60]] go on");
    real.live.wait_activity(Activity::Working);
    for text in ["first", "second", "third"] {
        assert_eq!(real.live.client().send(text).unwrap().delivery, Delivery::Held);
    }
    let held = real.live.status().held;
    let mut client = real.live.client();
    client.move_text(&held[2].id, Some(&held[0].id)).unwrap();
    client.edit_text(&held[1].id, "!second, changed").unwrap();
    let order: Vec<String> = real.live.status().held.into_iter().map(|text| text.text).collect();
    assert_eq!(order, ["third", "first", " !second, changed"]);
    real.live.wait_recorded("Reply to: !second, changed");
    real.live.wait_activity(Activity::Idle);
    let messages = real.live.messages();
    let at = |text: &str| messages.iter().position(|message| message.content.trim() == text).unwrap();
    assert!(at("third") < at("first") && at("first") < at("!second, changed"), "{messages:?}");
    assert_eq!(real.live.status().held, vec![]);
}

#[test]
fn a_text_sent_now_stops_the_turn_and_is_sent_alone() {
    let test = "a_text_sent_now_stops_the_turn_and_is_sent_alone";
    let Some(real) = RealSession::started(test, None) else { return };
    real.live.wait_activity(Activity::Idle);
    real.send("[[stall]] begin");
    real.api.wait_for("[[stall]]", TIMEOUT);
    real.live.wait_shown("esc to interrupt");
    for text in ["later", "now"] {
        assert_eq!(real.live.client().send(text).unwrap().delivery, Delivery::Held);
    }
    let held = real.live.status().held;
    real.live.client().send_now(&held[1].id).unwrap();
    real.live.wait_recorded("Reply to: now");
    real.live.wait_recorded("Reply to: later");
    let messages = real.live.messages();
    let at = |text: &str| messages.iter().position(|message| message.content == text).unwrap();
    assert!(at("now") < at("later"), "{messages:?}");
}

#[test]
fn a_text_sent_now_never_answers_a_permission() {
    let test = "a_text_sent_now_never_answers_a_permission";
    let Some(real) = RealSession::started(test, None) else { return };
    real.live.wait_activity(Activity::Idle);
    real.send("[[bash:touch asked && true]]");
    real.live.wait_activity(Activity::WaitingPermission);
    assert_eq!(real.live.client().send("now").unwrap().delivery, Delivery::Held);
    let held = real.live.status().held;
    let refused = real.live.client().send_now(&held[0].id).unwrap_err();
    assert!(refused.to_string().contains("decide it first"), "{refused}");
    assert_eq!(real.live.status().activity, Activity::WaitingPermission);
    assert_eq!(real.live.status().held.len(), 1);
}
