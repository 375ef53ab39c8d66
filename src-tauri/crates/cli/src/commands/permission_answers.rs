//! Answers to claude's questions, as given on the command line.

use crate::{args::PermissionArgs, failure::Failure};
use bc_core::question::{self, Question, QuestionAnswer};
use bc_wire::{ApiError, ErrorCode, session::SessionView};

/// Converts `--answer` and `--choose` into the answers to the request's questions.
///
/// # Errors
/// - The request is not open, or asks no question.
/// - An answer does not match a question or an option.
/// - `--choose` is not given once per question.
pub(super) fn answers(args: &PermissionArgs, session: &SessionView) -> Result<Vec<QuestionAnswer>, Failure> {
    let mut requests = session.live.iter().flat_map(|live| &live.permissions);
    let Some(request) = requests.find(|request| request.id == args.request) else {
        let message = format!("permission request {} is not open", bc_core::text::one_line(&args.request));
        let hint =
            format!("`beads-console session show {}` lists the open requests", session.meta.id.short());
        return Err(ApiError::new(ErrorCode::SessionState, message).hint(hint).into());
    };
    let input = request.input.as_object().cloned().unwrap_or_default();
    let questions = question::questions(&request.tool, &input);
    if questions.is_empty() {
        return Err(Failure::usage("this request asks no question; use --allow or --deny"));
    }
    match args.choices.is_empty() {
        true => args.answers.iter().map(|given| by_name(given, &questions)).collect(),
        false => by_number(&args.choices, &questions),
    }
}

/// Parses `QUESTION=ANSWER`. A question may contain an equals sign: the longest matching name wins.
fn by_name(given: &str, questions: &[Question]) -> Result<QuestionAnswer, Failure> {
    let mut found: Option<(usize, &Question)> = None;
    for (at, question) in questions.iter().enumerate() {
        let number = (at + 1).to_string();
        for name in [question.text.as_str(), question.header.as_str(), &number] {
            let fits = !name.is_empty() && given.strip_prefix(name).is_some_and(|rest| rest.starts_with('='));
            if fits && found.is_none_or(|(length, _)| length < name.len()) {
                found = Some((name.len(), question));
            }
        }
    }
    let Some((length, question)) = found else {
        let all: Vec<String> =
            questions.iter().enumerate().map(|(at, q)| format!("{} {:?}", at + 1, q.text)).collect();
        return Err(Failure::usage(format!(
            "--answer {given:?} matches no question; write QUESTION=ANSWER, with one of: {}",
            all.join(", ")
        )));
    };
    Ok(QuestionAnswer { question: question.text.clone(), chosen: vec![given[length + 1..].to_owned()] })
}

fn by_number(choices: &[String], questions: &[Question]) -> Result<Vec<QuestionAnswer>, Failure> {
    if choices.len() != questions.len() {
        return Err(Failure::usage(format!(
            "claude asks {} questions, but --choose is given {} times; give it once per question",
            questions.len(),
            choices.len()
        )));
    }
    let of = |(given, question): (&String, &Question)| {
        let chosen: Result<Vec<String>, Failure> =
            given.split(',').map(|number| option(number, question)).collect();
        Ok(QuestionAnswer { question: question.text.clone(), chosen: chosen? })
    };
    choices.iter().zip(questions).map(of).collect()
}

fn option(number: &str, question: &Question) -> Result<String, Failure> {
    let at = number.trim().parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    let label = at.and_then(|at| question.options.get(at)).map(|(label, _)| label.clone());
    label.ok_or_else(|| {
        Failure::usage(format!(
            "--choose {number:?} is not an option of {:?}, which has {}",
            question.text,
            question.options.len()
        ))
    })
}
