//! `onward send`: say something to a session, whoever works on it.

use onward_event::{Part, Target};

use super::start::{Start, is_held};
use crate::args::{Delivery, SendArgs, SettingArgs};
use crate::compose::store_error;
use crate::error::{CliError, ErrorKind};
use crate::exit::ExitCode;
use crate::render::tell;

pub(super) async fn run(start: Start, args: SendArgs) -> Result<ExitCode, CliError> {
    if args.text.trim().is_empty() {
        return Err(CliError::new(ErrorKind::Usage, "the message is empty, so nothing was sent"));
    }
    let app = start.app(&SettingArgs::default())?;
    let summary = app.find(args.session, &start.dir()).await?;
    let (target, wakeup) = match args.delivery() {
        Delivery::Steer => (Target::NextStep, true),
        Delivery::Inject => (Target::NextStep, false),
        Delivery::FollowUp => (Target::NextTurn, true),
    };
    let records_only = is_held(&summary) || args.no_run || !wakeup;
    if !records_only {
        start.could_work(&app, &summary, args.output)?;
    }
    let content = vec![Part::Text(args.text.clone())];
    let message = app.client.send(summary.session, content, target, wakeup).await.map_err(store_error)?;
    tell!("{message} is recorded in {}", summary.session);
    if records_only {
        return Ok(ExitCode::Completed);
    }
    start.work(&app, &summary, args.output).await
}
