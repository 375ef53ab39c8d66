//! An event as a JSON line: time, level, process, project, session, target, the fields of its spans, its own
//! fields and its message.

use crate::{
    appender::Appender,
    origin::{Context, Role},
};
use serde_json::{Map, Value};
use std::{fmt::Debug, sync::Arc};
use tracing::{
    Event, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id, Record},
};
use tracing_subscriber::{Layer, layer::Context as Spans, registry::LookupSpan};

/// Longer values are cut to this number of bytes, to limit the length of a line.
const TEXT_BYTES: usize = 4 << 10;

/// Writes each event as one line.
pub(crate) struct JsonLines {
    role: Role,
    context: Arc<Context>,
    appender: Appender,
}

struct Fields(Map<String, Value>);

impl JsonLines {
    pub(crate) fn new(role: Role, context: Arc<Context>, appender: Appender) -> JsonLines {
        JsonLines { role, context, appender }
    }
}

impl<S> Layer<S> for JsonLines
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, spans: Spans<'_, S>) {
        if let Some(span) = spans.span(id) {
            let mut fields = Fields(Map::new());
            attributes.record(&mut fields);
            span.extensions_mut().insert(fields);
        }
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, spans: Spans<'_, S>) {
        if let Some(span) = spans.span(id)
            && let Some(fields) = span.extensions_mut().get_mut::<Fields>()
        {
            values.record(fields);
        }
    }

    fn on_event(&self, event: &Event<'_>, spans: Spans<'_, S>) {
        let now = chrono::Local::now();
        let mut line = Fields(Map::new());
        let mut put = |name: &str, value: Value| line.0.insert(name.to_owned(), value);
        put("time", now.to_rfc3339_opts(chrono::SecondsFormat::Millis, false).into());
        put("level", event.metadata().level().as_str().into());
        put("process", self.role.as_str().into());
        put("pid", std::process::id().into());
        for (name, value) in
            [("project", self.context.project.get()), ("session", self.context.session.get())]
        {
            if let Some(value) = value {
                put(name, value.as_str().into());
            }
        }
        put("target", event.metadata().target().into());
        for span in spans.event_scope(event).into_iter().flat_map(|scope| scope.from_root()) {
            if let Some(fields) = span.extensions().get::<Fields>() {
                line.0.extend(fields.0.clone());
            }
        }
        event.record(&mut line);
        let Ok(mut text) = serde_json::to_vec(&line.0) else { return };
        text.push(b'\n');
        self.appender.append(now.date_naive(), &text);
    }
}

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.record_str(field, &format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        let end = value.floor_char_boundary(TEXT_BYTES);
        self.0.insert(field.name().to_owned(), value[..end].into());
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.0.insert(field.name().to_owned(), value.into());
    }
}
