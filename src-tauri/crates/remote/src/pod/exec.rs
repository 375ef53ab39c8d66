//! The hidden command `pod-exec`. It runs a command in a pod with this process's standard streams, and exits
//! with the command's exit code. It takes the place of ssh.

use super::{
    cluster::{client, failed, request_failed},
    manifest::CONTAINER,
};
use crate::not_ready::NotReady;
use k8s_openapi::{api::core::v1::Pod, apimachinery::pkg::apis::meta::v1::Status};
use kube::{Api, api::AttachParams};
use std::{ffi::OsString, process::ExitCode};
use tokio::io::{AsyncWriteExt, copy, stderr, stdin, stdout};

/// The exit code for a failed connection, which is also the container engines' code.
const CONNECTION_FAILED: u8 = 125;
/// The size of each direction's buffer, in bytes.
const BUFFER: usize = 256 << 10;

/// The main function of the hidden command. Its arguments are the context and the namespace (each empty for
/// the default), the pod, and the command's words.
pub fn run_pod_exec(args: &[OsString]) -> ExitCode {
    let code = run(args).unwrap_or_else(|error| {
        eprintln!("{error}");
        CONNECTION_FAILED
    });
    ExitCode::from(code)
}

fn run(args: &[OsString]) -> Result<u8, NotReady> {
    let args: Option<Vec<&str>> = args.iter().map(|arg| arg.to_str()).collect();
    let Some([context, namespace, pod, command @ ..]) = args.as_deref() else {
        return Err(NotReady::Failed("pod-exec: the arguments are not complete".to_owned()));
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| failed(&error))?;
    let code = runtime.block_on(exec(context, namespace, pod, command));
    // The runtime is not awaited, because a blocking read of standard input cannot be cancelled.
    runtime.shutdown_background();
    code
}

async fn exec(context: &str, namespace: &str, pod: &str, command: &[&str]) -> Result<u8, NotReady> {
    let client = client(Some(context).filter(|context| !context.is_empty())).await?;
    let namespace = match namespace {
        "" => client.default_namespace().to_owned(),
        given => given.to_owned(),
    };
    exec_in(&Api::namespaced(client, &namespace), pod, command).await
}

async fn exec_in(pods: &Api<Pod>, pod: &str, command: &[&str]) -> Result<u8, NotReady> {
    let streams = AttachParams::default()
        .container(CONTAINER)
        .stdin(true)
        .stdout(true)
        .stderr(true)
        .max_stdin_buf_size(BUFFER)
        .max_stdout_buf_size(BUFFER)
        .max_stderr_buf_size(BUFFER);
    let process = pods.exec(pod, command.iter().copied(), &streams).await;
    let mut process = process.map_err(|error| request_failed(&error))?;
    let lost = || NotReady::Failed("the connection to the pod was lost".to_owned());
    let mut input = process.stdin().ok_or_else(lost)?;
    let (mut output, mut errors) = (process.stdout().ok_or_else(lost)?, process.stderr().ok_or_else(lost)?);
    let status = process.take_status().ok_or_else(lost)?;
    tokio::spawn(async move {
        let _ = copy(&mut stdin(), &mut input).await;
        let _ = input.shutdown().await;
    });
    let (mut out, mut err) = (stdout(), stderr());
    let copying = async {
        let (copied, _) = tokio::join!(copy(&mut output, &mut out), copy(&mut errors, &mut err));
        let _ = out.flush().await;
        let _ = err.flush().await;
        copied
    };
    tokio::pin!(copying);
    let copied = tokio::select! {
        copied = &mut copying => copied,
        // After an error of the connection, kube never ends the streams.
        ended = process.join() => match ended {
            Ok(()) => copying.await,
            Err(error) => return Err(NotReady::Failed(format!("the connection to the pod was lost: {error}"))),
        },
    };
    copied.map_err(|error| failed(&error))?;
    exit_code(&status.await.ok_or_else(lost)?)
}

fn exit_code(status: &Status) -> Result<u8, NotReady> {
    if status.status.as_deref() == Some("Success") {
        return Ok(0);
    }
    let causes = status.details.iter().flat_map(|details| details.causes.iter().flatten());
    let mut codes = causes.filter(|cause| cause.reason.as_deref() == Some("ExitCode"));
    match codes.find_map(|cause| cause.message.as_deref()?.parse().ok()) {
        Some(code) => Ok(code),
        None => {
            Err(NotReady::Failed(status.message.clone().unwrap_or_else(|| "the command failed".to_owned())))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::{Router, extract::WebSocketUpgrade, routing::get};
    use kube::{Client, Config};
    use serde_json::{Value, json};
    use std::time::Duration;

    /// The protocol of a pod's streams.
    const STREAMS: &str = "v5.channel.k8s.io";

    #[tokio::test]
    async fn a_lost_connection_ends_the_command() {
        let lost = |upgrade: WebSocketUpgrade| async {
            // Dropping the socket after one line of output ends the connection without a closing message.
            upgrade.protocols([STREAMS]).on_upgrade(|mut socket| async move {
                socket.send(b"\x01one\n".to_vec().into()).await.unwrap();
            })
        };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let route = "/api/v1/namespaces/agents/pods/one/exec";
        tokio::spawn(async move { axum::serve(listener, Router::new().route(route, get(lost))).await });
        let client = Client::try_from(Config::new(address.parse().unwrap())).unwrap();
        let pods = Api::namespaced(client, "agents");
        let ended = tokio::time::timeout(Duration::from_secs(60), exec_in(&pods, "one", &["sh"])).await;
        let error = ended.expect("the command does not end").unwrap_err().to_string();
        assert!(error.starts_with("the connection to the pod was lost: "), "{error}");
    }

    fn code(status: Value) -> Result<u8, String> {
        exit_code(&serde_json::from_value(status).unwrap()).map_err(|error| error.to_string())
    }

    #[test]
    fn the_exit_code_is_that_of_the_command() {
        assert_eq!(code(json!({ "status": "Success" })), Ok(0));
        let failed = json!({ "status": "Failure", "reason": "NonZeroExitCode", "message": "exit code 7",
                             "details": { "causes": [{ "reason": "ExitCode", "message": "7" }] } });
        assert_eq!(code(failed), Ok(7));
        let broken = json!({ "status": "Failure", "reason": "InternalError", "message": "no runtime" });
        assert_eq!(code(broken), Err("no runtime".to_owned()));
    }
}
