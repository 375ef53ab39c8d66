//! The results of a run, as a table for readers and as JSON for comparisons.

use crate::{
    error::BenchError,
    machine::Machine,
    rows::Row,
    samples::{Budget, Goal, Samples, Unit, median, quantile},
};
use serde::Serialize;

/// The version of the JSON format, for programs that compare runs.
const VERSION: u32 = 1;

#[derive(Serialize)]
pub(crate) struct Report {
    version: u32,
    command: String,
    machine: Machine,
    rows: Vec<Measured>,
}

/// A row with its samples, or with the reason why it could not be measured.
#[derive(Serialize)]
pub(crate) struct Measured {
    name: &'static str,
    operation: &'static str,
    #[serde(rename = "beside")]
    baseline: &'static str,
    unit: Unit,
    budget: Option<Budget>,
    /// Whether our p95 is within the budget; `None` without a budget or without a result.
    within_budget: Option<bool>,
    goal: Option<Goal>,
    /// `None` without a goal or without a result.
    met: Option<bool>,
    /// The reason why there is no result.
    failed: Option<String>,
    samples: Samples,
}

impl Measured {
    pub(crate) fn new(row: &Row, measured: Result<Samples, BenchError>) -> Measured {
        let (samples, failed) = match measured {
            Ok(samples) => (samples, None),
            Err(error) => (Samples::default(), Some(error.line())),
        };
        let met = row.goal.filter(|_| failed.is_none()).map(|goal| samples.meets(goal));
        let Row { name, operation, baseline, unit, budget, goal, .. } = *row;
        let within_budget = budget.zip(samples.p95_ms(unit)).map(|(budget, p95)| p95 <= budget.ms());
        Measured { name, operation, baseline, unit, budget, within_budget, goal, met, failed, samples }
    }

    /// The verdict on the row, as it is shown in the table.
    fn verdict(&self) -> &'static str {
        match (&self.failed, self.within_budget, self.met) {
            (Some(_), ..) => "not measured",
            (None, Some(false), _) => "OVER BUDGET",
            (None, _, Some(false)) => "MISSED",
            (None, _, Some(true)) => "met",
            (None, Some(true), None) => "within budget",
            (None, None, None) => "–",
        }
    }

    fn line(&self) -> String {
        let unit = self.unit.name();
        let ratios = self.samples.ratios();
        let goal = match self.goal {
            Some(Goal::RatioAtMost(most)) => format!("≤ {most}×"),
            Some(Goal::RatioAtLeast(least)) => format!("≥ {least}×"),
            Some(Goal::AtMost(most)) => format!("≤ {most} {unit}"),
            None => "–".to_owned(),
        };
        let (ratio, spread) = match (self.failed.is_some(), ratios.is_empty()) {
            (true, _) => ("–".to_owned(), "–".to_owned()),
            (false, true) => ("–".to_owned(), spread(&self.samples.ours)),
            (false, false) => (format!("{}×", number(median(&ratios))), spread(&ratios)),
        };
        let value = |values: &[f64]| match values.is_empty() {
            true => "–".to_owned(),
            false => format!("{} {unit}", number(median(values))),
        };
        let (ours, baseline) = (value(&self.samples.ours), value(&self.samples.baseline));
        let count = self.samples.ours.len();
        let budget = match (self.budget, self.samples.p95_ms(self.unit)) {
            (Some(budget), Some(p95)) => format!("{} of {} ms", number(p95), budget.ms()),
            (Some(budget), None) => format!("{} ms", budget.ms()),
            (None, _) => "–".to_owned(),
        };
        format!(
            "| {} | {ours} | {budget} | {} | {baseline} | {ratio} | {spread} | {count} | {goal} | {} |",
            self.operation,
            self.baseline,
            self.verdict()
        )
    }

    /// The notes about this row, which follow the table.
    fn notes(&self) -> String {
        let mut text = String::new();
        let mut say = |line: &str| text.push_str(&format!("- {}: {line}\n", self.name));
        if let Some(failed) = &self.failed {
            say(&format!("not measured: {failed}"));
        }
        self.samples.notes.iter().for_each(|note| say(note));
        for aside in &self.samples.asides {
            let (middle, unit) = (number(median(&aside.values)), aside.unit.name());
            say(&format!(
                "{}: {middle} {unit} ({}, {} samples)",
                aside.what,
                spread(&aside.values),
                aside.values.len()
            ));
        }
        text
    }
}

impl Report {
    pub(crate) fn new(command: String, machine: Machine, rows: Vec<Measured>) -> Report {
        Report { version: VERSION, command, machine, rows }
    }

    /// The report as Markdown: the command and the machine, the table, the summary of the goals, and the
    /// rows' notes.
    pub(crate) fn table(&self) -> String {
        let head = "| operation | ours | budget (p95) | beside | baseline | ratio | spread (10–90 %) | rounds | goal | |\n\
            |---|---|---|---|---|---|---|---|---|---|\n";
        let lines: String = self.rows.iter().map(|row| row.line() + "\n").collect();
        let notes: String = self.rows.iter().map(Measured::notes).collect();
        format!("`{}`, {}\n\n{head}{lines}\n{}\n\n{notes}", self.command, self.machine.line(), self.summary())
    }

    /// The number of met goals, and the names of the rows that miss a goal or a budget or were not measured.
    pub(crate) fn summary(&self) -> String {
        let of = |wanted: &str| -> Vec<&str> {
            self.rows.iter().filter(|row| row.verdict() == wanted).map(|row| row.name).collect()
        };
        let (met, missed, unmeasured) = (of("met"), of("MISSED"), of("not measured"));
        let mut text = format!("{} goals met", met.len());
        for (names, verdict) in
            [(missed, "missed"), (of("OVER BUDGET"), "over budget"), (unmeasured, "not measured")]
        {
            if !names.is_empty() {
                text.push_str(&format!(", {} {verdict} ({})", names.len(), names.join(", ")));
            }
        }
        text + "."
    }

    pub(crate) fn json(&self) -> String {
        let text = serde_json::to_string_pretty(self);
        text.expect("a report has only text keys") + "\n"
    }
}

/// Formats a number for the table: the larger the number, the fewer decimals.
fn number(value: f64) -> String {
    match value.abs() {
        v if v >= 100.0 => format!("{value:.0}"),
        v if v >= 10.0 => format!("{value:.1}"),
        v if v >= 0.1 => format!("{value:.2}"),
        _ => format!("{value:.4}"),
    }
}

fn spread(values: &[f64]) -> String {
    format!("{} – {}", number(quantile(values, 0.1)), number(quantile(values, 0.9)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(goal: Option<Goal>) -> Row {
        let measure = |_: &crate::environment::Bench| Ok(Samples::default());
        Row {
            name: "x",
            operation: "doing",
            baseline: "not doing",
            unit: Unit::Ms,
            budget: None,
            goal,
            measure,
        }
    }

    fn measured(ours: f64) -> Samples {
        Samples { ours: vec![ours; 3], baseline: vec![10.0; 3], ..Samples::default() }
    }

    #[test]
    fn missed_goals_and_unmeasured_rows_are_reported() {
        let goal = Some(Goal::RatioAtMost(1.3));
        let rows = vec![
            Measured::new(&row(goal), Ok(measured(12.0))),
            Measured::new(&row(goal), Ok(measured(15.0))),
            Measured::new(&row(goal), Err(BenchError::unexpected_output("the server", "did not answer"))),
            Measured::new(&row(None), Ok(measured(1.0))),
        ];
        let report = Report::new("cargo xtask bench".to_owned(), Machine::current(), rows);
        let table = report.table();
        assert!(
            table.contains(
                "| doing | 12.0 ms | – | not doing | 10.0 ms | 1.20× | 1.20 – 1.20 | 3 | ≤ 1.3× | met |"
            ),
            "{table}"
        );
        assert!(table.contains("| 1.50× | 1.50 – 1.50 | 3 | ≤ 1.3× | MISSED |"), "{table}");
        assert!(table.contains("x: not measured: the server did not answer"), "{table}");
        assert_eq!(report.summary(), "1 goals met, 1 missed (x), 1 not measured (x).");
        assert!(report.json().contains("\"version\": 1"));
    }

    #[test]
    fn a_row_over_its_budget_fails_even_if_its_ratio_is_met() {
        let with_budget = |ours| {
            let row = Row { budget: Some(Budget::KeyToGlyph), ..row(Some(Goal::RatioAtMost(9.0))) };
            Measured::new(&row, Ok(measured(ours)))
        };
        let report =
            Report::new(String::new(), Machine::current(), vec![with_budget(12.0), with_budget(20.0)]);
        let table = report.table();
        assert!(table.contains("| 12.0 ms | 12.0 of 16 ms |"), "{table}");
        assert!(table.contains("| OVER BUDGET |"), "{table}");
        assert_eq!(report.summary(), "1 goals met, 1 over budget (x).");
    }
}
