//! Options that change the settings of a session that exists already; what is not given stays.

use onward_event::SettingChange;
use onward_port::SessionSummary;

use crate::args::SettingArgs;
use crate::compose::{App, store_error};
use crate::error::CliError;

/// Records each change.
pub(super) async fn change_settings(
    app: &App,
    summary: &SessionSummary,
    settings: &SettingArgs,
) -> Result<(), CliError> {
    let mut changes = Vec::new();
    if settings.model.is_some() {
        changes.push(SettingChange::Model(app.config.model_config(&app.environment)?));
    }
    if let Some(mode) = settings.chosen_mode() {
        changes.push(SettingChange::Mode(mode));
    }
    if settings.max_steps.is_some() || settings.budget.is_some() {
        changes.push(SettingChange::Limits(app.config.limits()));
    }
    for change in changes {
        app.client.configure(summary.session, change).await.map_err(store_error)?;
    }
    Ok(())
}
