/** Sample file changes, in git's format. */
import type { CommitLine, FileDiff, SessionChanges, SessionView } from "../../generated/api";

const LOGIN = `@@ -36,10 +36,13 @@ login
 pub async fn login(
     State(app): State<App>,
     Form(form): Form<LoginForm>,
 ) -> Result<Session, LoginError> {
-    let user = app.store.find(&form.email).await?;
-    if !verify(&form.password, &user.hash) {
-        return Err(LoginError::WrongPassword);
-    }
+    let creds = validate_credentials(&form)?;
+    let user = app.store.find(&creds.email).await?;
+    let hash = user.as_ref().map_or(&app.dummy, |u| &u.hash);
+    let matches = verify(&creds.password, hash);
+    let Some(user) = user.filter(|_| matches) else {
+        return Err(LoginError::Rejected);
+    };
     app.sessions.open(&user).await
 }
@@ -88,9 +91,7 @@ LoginError
 #[derive(Debug, Error)]
 pub enum LoginError {
-    #[error("no account with that address")]
-    UnknownAccount,
-    #[error("wrong password")]
-    WrongPassword,
+    #[error("email or password not accepted")]
+    Rejected,
     #[error("the user store did not answer")]
     Store(#[from] StoreError),
 }
`;
const ADDED = `@@ -0,0 +1,8 @@
+//! Checks a login form before the user store is queried.
+
+use crate::form::LoginForm;
+
+pub fn validate_credentials(form: &LoginForm) -> Result<Credentials, LoginError> {
+    let email = Email::parse(&form.email).map_err(|_| LoginError::Rejected)?;
+    Ok(Credentials { email, password: form.password.clone() })
+}
`;

const SPACED = `@@ -3,5 +3,5 @@
 use crate::store::Store;
 
 pub struct User {
-  pub email: Email,
+    pub email: Email,
 }
`;

export function sampleFiles(ignoreSpace: boolean): FileDiff[] {
  const file = (
    path: string,
    change: FileDiff["change"],
    [added, removed]: [number | null, number | null],
    diff = "",
    from: string | null = null,
  ): FileDiff => ({ path, from, change, added, removed, diff, cut: false, content: `made up: ${path}` });
  const legacy = "@@ -1,2 +0,0 @@\n-//! The old login.\n-pub fn login() {}\n";
  return [
    file("src/auth/login.rs", "modified", [9, 8], LOGIN),
    file("src/auth/validate.rs", "added", [8, 0], ADDED),
    file("src/auth/limits.rs", "renamed", [0, 0], "", "src/limits.rs"),
    file("docs/login.png", "added", [null, null]),
    file("src/auth/legacy.rs", "deleted", [0, 2], legacy),
    file("src/store/user.rs", "modified", ignoreSpace ? [0, 0] : [1, 1], ignoreSpace ? "" : SPACED),
  ];
}

export function sampleCommits(firstAt: string, secondAt: string): CommitLine[] {
  return [
    {
      hash: "0e5c3f91d20a07be4f1c9a07be9d2c1f04be19c7",
      subject: "validate credentials before the store is touched",
      author: "Dana Voss",
      at: firstAt,
    },
    {
      hash: "4be19c70e5c3f91d20a07be4f1c9a07be9d2c1f0",
      subject: "one error for an unknown account and a wrong password",
      author: "Dana Voss",
      at: secondAt,
    },
  ];
}

/** The changes of a session: empty for a draft or without commits. */
export function changesOf(session: SessionView, now: number, ignoreSpace: boolean): SessionChanges {
  const hasChanges = session.status !== "draft" && session.commits.length > 0;
  const at = (minutes: number) => new Date(now - minutes * 60_000).toISOString();
  const closed = session.status === "closed";
  return {
    of: closed ? "commits" : "folder",
    base: hasChanges ? "9d2c1f04be19c70e5c3f91d20a07be4f1c9a07be" : null,
    base_branch: hasChanges ? "main" : null,
    commits: hasChanges ? sampleCommits(at(31), at(12)) : [],
    files: hasChanges ? sampleFiles(ignoreSpace) : [],
    cut: false,
    uncommitted: hasChanges && !closed ? ["src/auth/login.rs", "src/store/user.rs"] : [],
    before: [],
    notes: [],
  };
}
