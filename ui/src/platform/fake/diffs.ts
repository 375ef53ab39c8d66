/** Made-up file changes of the sample project, in git's format. */
import type { FileDiff, SessionChanges, SessionView } from "../../generated/api";

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
  const files: Omit<FileDiff, "content">[] = [
    { path: "src/auth/login.rs", from: null, change: "modified", added: 9, removed: 8, diff: LOGIN, cut: false },
    { path: "src/auth/validate.rs", from: null, change: "added", added: 8, removed: 0, diff: ADDED, cut: false },
    {
      path: "src/auth/limits.rs",
      from: "src/limits.rs",
      change: "renamed",
      added: 0,
      removed: 0,
      diff: "",
      cut: false,
    },
    { path: "docs/login.png", from: null, change: "added", added: null, removed: null, diff: "", cut: false },
    {
      path: "src/auth/legacy.rs",
      from: null,
      change: "deleted",
      added: 0,
      removed: 2,
      diff: "@@ -1,2 +0,0 @@\n-//! The old login.\n-pub fn login() {}\n",
      cut: false,
    },
    {
      path: "src/store/user.rs",
      from: null,
      change: "modified",
      added: ignoreSpace ? 0 : 1,
      removed: ignoreSpace ? 0 : 1,
      diff: ignoreSpace ? "" : SPACED,
      cut: false,
    },
  ];
  return files.map((file) => ({ ...file, content: `made up: ${file.path}` }));
}

/** The changes of a session: empty without commits. */
export function changesOf(session: SessionView, now: number, ignoreSpace: boolean): SessionChanges {
  const hasChanges = session.status !== "draft" && session.commits.length > 0;
  const at = (minutes: number) => new Date(now - minutes * 60_000).toISOString();
  const closed = session.status === "closed";
  return {
    of: closed ? "commits" : "folder",
    base: hasChanges ? "9d2c1f04be19c70e5c3f91d20a07be4f1c9a07be" : null,
    base_branch: hasChanges ? "main" : null,
    commits: hasChanges
      ? [
          {
            hash: "0e5c3f91d20a07be4f1c9a07be9d2c1f04be19c7",
            subject: "validate credentials before the store is touched",
            author: "Dana Voss",
            at: at(31),
          },
          {
            hash: "4be19c70e5c3f91d20a07be4f1c9a07be9d2c1f0",
            subject: "one error for an unknown account and a wrong password",
            author: "Dana Voss",
            at: at(12),
          },
        ]
      : [],
    files: hasChanges ? sampleFiles(ignoreSpace) : [],
    cut: false,
    uncommitted: hasChanges && !closed ? ["src/auth/login.rs", "src/store/user.rs"] : [],
    before: [],
    notes: [],
  };
}
