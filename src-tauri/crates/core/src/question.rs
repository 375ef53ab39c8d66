//! Questions that claude asks the user through a tool, and their answers.
//!
//! This module is pure. The tool's input contains the questions; claude reads the answers from a field of the
//! same input, keyed by question text. Passing the input to claude is deliberately elsewhere.

use crate::Extra;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Claude's tool for asking the user questions.
pub const ASKS: &str = "AskUserQuestion";

/// Claude's tool for asking whether it may carry out a plan.
pub const PLANS: &str = "ExitPlanMode";

/// One of claude's questions to the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The question's text, by which answers refer to it.
    pub text: String,
    /// A short heading; may be empty.
    pub header: String,
    /// Whether several of its options may be chosen.
    pub multiple: bool,
    /// The label and the description of each option.
    pub options: Vec<(String, String)>,
}

/// The answer to one question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct QuestionAnswer {
    pub question: String,
    /// The chosen labels, or the user's own text.
    pub chosen: Vec<String>,
}

/// Why answers are not accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnswerError {
    /// The request contains no question.
    #[error("this request asks no question; allow or deny it")]
    NoQuestions,
    #[error("claude does not ask the question {0:?}")]
    Unknown(String),
    #[error("the question {0:?} has no answer; answer every question")]
    Missing(String),
    /// A question that allows one answer has several.
    #[error("the question {0:?} allows only one answer")]
    Several(String),
}

/// The questions in the input of [`ASKS`], without questions that repeat a text; empty for every other tool.
pub fn questions(tool: &str, input: &Extra) -> Vec<Question> {
    if tool != ASKS {
        return Vec::new();
    }
    let text = |of: &Value, key: &str| of.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let option = |option: &Value| {
        Some((text(option, "label"), text(option, "description"))).filter(|(label, _)| !label.is_empty())
    };
    let mut found: Vec<Question> = Vec::new();
    for one in input.get("questions").and_then(Value::as_array).into_iter().flatten() {
        let options = one.get("options").and_then(Value::as_array).into_iter().flatten();
        let question = Question {
            text: text(one, "question"),
            header: text(one, "header"),
            multiple: one.get("multiSelect").and_then(Value::as_bool).unwrap_or(false),
            options: options.filter_map(option).collect(),
        };
        // Claude keeps one answer per question text.
        if !question.text.is_empty() && found.iter().all(|other| other.text != question.text) {
            found.push(question);
        }
    }
    found
}

/// The tool's input with the answers, as claude reads them: several labels are joined by a comma.
///
/// # Errors
///
/// Returns an [`AnswerError`] if the tool asks no question, a question has no answer or too many answers, or
/// an answer belongs to no question.
pub fn answered(tool: &str, input: &Extra, answers: &[QuestionAnswer]) -> Result<Extra, AnswerError> {
    let questions = questions(tool, input);
    if questions.is_empty() {
        return Err(AnswerError::NoQuestions);
    }
    if let Some(unknown) =
        answers.iter().find(|answer| questions.iter().all(|question| question.text != answer.question))
    {
        return Err(AnswerError::Unknown(unknown.question.clone()));
    }
    let mut given = Extra::new();
    for question in &questions {
        let chosen: Vec<&str> = answers
            .iter()
            .filter(|answer| answer.question == question.text)
            .flat_map(|answer| answer.chosen.iter().map(|one| one.trim()))
            .filter(|one| !one.is_empty())
            .collect();
        match chosen.len() {
            0 => return Err(AnswerError::Missing(question.text.clone())),
            1 => {}
            _ if question.multiple => {}
            _ => return Err(AnswerError::Several(question.text.clone())),
        }
        given.insert(question.text.clone(), chosen.join(", ").into());
    }
    let mut input = input.clone();
    input.insert("answers".to_owned(), Value::Object(given));
    Ok(input)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn input() -> Extra {
        let input = json!({"questions": [
            {"question": "Which colour?", "header": "Colour", "multiSelect": false,
                "options": [{"label": "Red", "description": "warm"}, {"label": "Blue"}, {"description": "none"}]},
            {"question": "Which fruits?", "multiSelect": true, "options": [{"label": "Apple"}, {"label": "Pear"}]},
        ], "more": 1});
        input.as_object().cloned().unwrap()
    }

    fn answer(question: &str, chosen: &[&str]) -> QuestionAnswer {
        let chosen = chosen.iter().map(|one| (*one).to_owned()).collect();
        QuestionAnswer { question: question.to_owned(), chosen }
    }

    #[test]
    fn questions_are_read_from_the_input_of_their_tool_only() {
        let found = questions(ASKS, &input());
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].options, [("Red".into(), "warm".into()), ("Blue".into(), String::new())]);
        assert!(found[1].multiple && found[1].header.is_empty());
        assert_eq!(questions("Bash", &input()), []);
        assert_eq!(questions(ASKS, &Extra::new()), []);
    }

    #[test]
    fn answers_are_added_to_the_input_by_the_question() {
        let given =
            [answer("Which fruits?", &["Apple", "Pear"]), answer("Which colour?", &["green, my own"])];
        let answered = answered(ASKS, &input(), &given).unwrap();
        let expect = json!({"Which colour?": "green, my own", "Which fruits?": "Apple, Pear"});
        assert_eq!((&answered["answers"], &answered["more"]), (&expect, &json!(1)));
        assert_eq!(answered["questions"], input()["questions"]);
    }

    #[test]
    fn unanswered_and_duplicate_questions_are_refused() {
        let colour = answer("Which colour?", &["Red"]);
        let check = |answers: &[QuestionAnswer], expect: AnswerError| {
            assert_eq!(answered(ASKS, &input(), answers).unwrap_err(), expect);
        };
        check(std::slice::from_ref(&colour), AnswerError::Missing("Which fruits?".into()));
        let blank = answer("Which fruits?", &[" "]);
        check(&[colour.clone(), blank], AnswerError::Missing("Which fruits?".into()));
        let both = answer("Which colour?", &["Red", "Blue"]);
        check(&[both, answer("Which fruits?", &["Pear"])], AnswerError::Several("Which colour?".into()));
        check(&[colour, answer("Why?", &["x"])], AnswerError::Unknown("Why?".into()));
        assert_eq!(answered("Bash", &Extra::new(), &[]).unwrap_err(), AnswerError::NoQuestions);
    }
}
