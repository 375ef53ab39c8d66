//! Tests of the strings that are removed, and of those that are kept.

use super::*;
use proptest::prelude::*;
use serde_json::json;

/// Builds a fake secret at run time, so that no scanner reports this file as a leak.
fn fake(parts: &[&str]) -> String {
    parts.concat()
}

fn rules_of(text: &str) -> Vec<&'static str> {
    scan::find(text).into_iter().map(|secret| secret.rule).collect()
}

#[test]
fn secrets_of_many_kinds_are_redacted() {
    let github = fake(&["ghp_", "9aBcDeF0gHiJkLmN1oPqRsTuV2wXyZ3a4B5c"]);
    let aws = fake(&["AKIA", "Q3EGRIWJNB7KZ2XU"]);
    let anthropic = fake(&["sk-ant-api03-", &"aB3dE6gH9jK2mN5p".repeat(6)[..93], "AA"]);
    let key = format!(
        "-----BEGIN RSA {0} KEY-----\n{1}\n-----END RSA {0} KEY-----",
        "PRIVATE",
        "MIIEpAIBAAKCAQEA7v3Kq9".repeat(8)
    );
    for (text, secret, rule) in [
        (format!("export GITHUB_TOKEN={github}"), &github, "github-pat"),
        (format!("aws_access_key_id = {aws}"), &aws, "aws-access-token"),
        (format!("use {anthropic} here"), &anthropic, "anthropic-api-key"),
        (format!("the key:\n{key}\nthat was it"), &key, "private-key"),
    ] {
        assert!(rules_of(&text).contains(&rule), "{text}: {:?}", rules_of(&text));
        let (redacted, count) = redact_text(&text);
        assert!(!redacted.contains(secret.as_str()) && redacted.contains("[removed: "), "{redacted}");
        assert_eq!(count, 1, "{redacted}");
    }
}

#[test]
fn secrets_are_found_by_their_context() {
    let password = fake(&["hunter2", "Pa55"]);
    let basic = fake(&["YWxpY2U6", "aHVudGVyMg=="]);
    let bearer = fake(&["mF_9.B5f", "-4.1JqM9vRz"]);
    let session = fake(&["8f2c01d9", "a7b6e534"]);
    let telegram = fake(&["110201543:", "AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw4"]);
    let discord = fake(&["MTk4NjIyNDgzNDcx", "OTI1MjQ4.Cl2FMQ.", "ZnCjm1XVW7vRze4b7Cq4se7kKWs"]);
    let mailgun = fake(&[
        "key-",
        "3ax6xnjp29jd6fds4gc373sgvjxteol0".replace(|c: char| !c.is_ascii_hexdigit(), "a").as_str(),
    ]);
    let hook = fake(&["abcDEF123-", "ghiJKL456_".repeat(6).as_str()]);
    for (text, secret) in [
        (format!("git clone https://alice:{password}@example.org/x.git"), &password),
        (format!("redis://:{password}@cache:6379/0"), &password),
        (format!("https://example.org/login?user=a&password={password}&x=1"), &password),
        (format!("GET /feed?access_token={session}"), &session),
        (format!("Authorization: Bearer {bearer}"), &bearer),
        (format!("authorization: basic {basic}"), &basic),
        (format!("-H \"Authorization: Basic {basic}\" https://x"), &basic),
        (format!("{{\\\"Authorization\\\": \\\"Bearer {bearer}\\\"}}"), &bearer),
        (format!("headers = {{'Authorization': 'token {session}'}}"), &session),
        (format!("Proxy-Authorization: Basic {basic}"), &basic),
        (format!("it answered to Bearer {bearer}{session}"), &bearer),
        (format!("Cookie: theme=dark; session={session}"), &session),
        (format!("< Set-Cookie: sid={session}; Path=/; HttpOnly"), &session),
        (format!("curl -s -b 'sid={session}' https://x"), &session),
        (format!("curl --cookie \"a=1; sid={session}\" https://x"), &session),
        (format!("machine example.org login alice password {password}"), &password),
        (format!("machine example.org\n  login alice\n  password {password}\n"), &password),
        (format!("default login anonymous password {password}"), &password),
        (format!("mysql -u root -p{password} shop"), &password),
        (format!("mysqldump -h db -p'{password}' shop > x.sql"), &password),
        (format!("mariadb --user=a --password={password}"), &password),
        (format!("curl -s --user 'api:{mailgun}' https://api.mailgun.net"), &mailgun),
        (mailgun.clone(), &mailgun),
        (format!("https://api.telegram.org/bot{telegram}/getMe"), &telegram),
        (format!("the bot is {telegram}."), &telegram),
        (format!("client.login('{discord}')"), &discord),
        (discord.clone(), &discord),
        (format!("https://discord.com/api/webhooks/123456789012345678/{hook}"), &hook),
    ] {
        let (redacted, count) = redact_text(&text);
        assert!(count > 0 && !redacted.contains(secret.as_str()), "{text} became {redacted}");
        assert_eq!(redact_text(&redacted).1, 0, "{redacted} is redacted again");
    }
}

#[test]
fn headers_and_options_without_a_secret_are_unchanged() {
    for text in [
        "Authorization: Bearer <token>",
        "Authorization: Bearer $TOKEN",
        "Authorization: Bearer YOUR_TOKEN",
        "Authorization: Bearer ${{ secrets.TOKEN }}",
        "the authorization header is missing",
        "Bearer authentication is described in RFC 6750",
        "the bearer of this-is-a-long-hyphenated-word-indeed",
        "a cookie: it is sweet",
        "Set-Cookie: <name>=<value>",
        "document.cookie = `sid=${id}`",
        "the default password is documented",
        "machine learning and login password policy",
        "mysql -u root -p shop",
        "mysql -u root -p$MYSQL_PASSWORD shop",
        "docker run --name mysql -p3306:3306 mysql:8",
        "the primary key-value store and key-frames",
        "https://localhost:3000/@scope/pkg",
        "git@github.com:alice/app.git and ssh://git@host:22/x",
        "https://user:${PASSWORD}@example.org/",
        "https://example.org/?page=abcdef&token=<token>",
        "at 12:34:56 see a.b.c and v1.2.3456.7 in src/x.test.tsx",
        "com.example.service.handler.Handler.method",
    ] {
        assert_eq!(redact_text(text), (text.into(), 0), "{:?}", rules_of(text));
    }
}

#[test]
fn text_around_a_secret_is_unchanged() {
    let password = fake(&["t0p-s3cr3t", "-Pa55w0rd"]);
    let text = format!("postgres://app:{password}@db.example.org:5432/app?x=1");
    let (redacted, count) = redact_text(&text);
    assert_eq!(redacted, "postgres://app:[removed: url-credentials]@db.example.org:5432/app?x=1");
    assert_eq!(count, 1);
    let (redacted, _) = redact_text("DB_PASSWORD='9xK!vb2#qLm7' ./run ä");
    assert_eq!(redacted, "DB_PASSWORD='[removed: assigned-secret]' ./run ä");
}

#[test]
fn ordinary_texts_are_unchanged() {
    for text in [
        "",
        "The tests pass; see src/login.rs:42 and commit 1e81ae8f00112233445566778899aabbccddeeff.",
        "fn password_is_valid(password: &str) -> bool { password.len() > 8 }",
        "let token = tokens.next().ok_or(Error::UnexpectedEnd)?;",
        "total_tokens: 123456789, cache_key: session-list",
        "curl https://example.org/a?b=c",
        "GITHUB_TOKEN=$GITHUB_TOKEN npm test",
        "password: String, secret: Option<String>",
        "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
        "größe: 漢字 🎉",
    ] {
        assert_eq!(redact_text(text), (text.into(), 0), "{:?}", rules_of(text));
    }
}

#[test]
fn a_documents_field_names_indicate_secrets() {
    let secret = fake(&["9xK.vb2", "qLm7Zw4Rt8"]);
    let mut document = json!({
        "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
        "commits": ["1e81ae8f00112233445566778899aabbccddeeff"],
        "messages": [{"tool_calls": [{"input": {"api_key": secret, "command": format!("TOKEN={secret} x")}}]}],
        "n": 1, "none": null,
    });
    let before = document.clone();
    assert_eq!(redact(&mut document), 2);
    assert!(!document.to_string().contains(&secret), "{document}");
    assert_eq!((&document["id"], &document["commits"]), (&before["id"], &before["commits"]));
}

#[test]
fn ten_megabytes_of_output_are_scanned() {
    let secret = fake(&["ghp_", "9aBcDeF0gHiJkLmN1oPqRsTuV2wXyZ3a4B5c"]);
    let mut text = "test login::accepts_a_password ... ok, key 17\n".repeat(10 << 20 >> 6);
    text.push_str(&secret);
    let (redacted, count) = redact_text(&text);
    assert_eq!(count, 1);
    assert!(redacted.ends_with("[removed: github-pat]"), "{}", &redacted[redacted.len() - 60..]);
}

proptest! {
    #[test]
    fn redaction_terminates_and_is_idempotent(text in "(\\PC|\n|password=|token: |://a:|@){0,60}") {
        let (once, _) = redact_text(&text);
        let (twice, _) = redact_text(&once);
        prop_assert_eq!(twice, once.clone());
    }
}
