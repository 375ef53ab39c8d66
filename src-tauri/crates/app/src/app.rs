//! The list of open projects, the forwarding of requests to them, and the commands that need no project.

use crate::{
    config, folders, last_port, layout,
    licences::licences,
    project::Project,
    project_key, sample_project,
    terminal::{HostTerminal, NoTerminal},
};
use base64::Engine as _;
use bc_bridge::{Backend, BrowserAccess, EventFeed, EventRing, TerminalPipe};
use bc_core::ids::SessionId;
use bc_engine::{Programs, preferences};
use bc_host::ClientError;
use bc_wire::{
    ApiError, ErrorCode,
    answer::{Answer, Text},
    app::{self, *},
    event::Event,
    place::{Place, PlaceCheck, PlaceRef, Places},
    project::Nothing,
};
use serde_json::Value;
use std::{
    ops::Deref,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
    thread,
};

/// The application behind a window or a server.
pub struct App {
    programs: Programs,
    ring: EventRing,
    /// The user's settings folder; `None` without a home folder.
    config: Option<PathBuf>,
    projects: Mutex<Vec<Arc<Project>>>,
    browsers: OnceLock<Arc<dyn BrowserAccess>>,
    /// Held while the settings change, so that the settings before and after belong to one change.
    settings_lock: Mutex<()>,
    /// Held while the list of recent folders changes.
    recent_lock: Arc<Mutex<()>>,
}

/// The application on behalf of one person.
struct AppOf<'a> {
    app: &'a App,
    /// The person who sent the request; `None` means the user of this machine.
    person: Option<&'a str>,
}

impl Deref for AppOf<'_> {
    type Target = App;

    fn deref(&self) -> &App {
        self.app
    }
}

impl App {
    /// Creates the application without open projects.
    pub fn new(programs: Programs) -> App {
        App {
            programs,
            ring: EventRing::default(),
            config: preferences::folder(),
            projects: Mutex::default(),
            browsers: OnceLock::new(),
            settings_lock: Mutex::default(),
            recent_lock: Arc::default(),
        }
    }

    /// Sets the interface to the server's links and people. Only the first call has an effect.
    pub fn set_browser_access(&self, browsers: Arc<dyn BrowserAccess>) {
        let _ = self.browsers.set(browsers);
    }

    /// The port on which a project was last served. `None` if it is unknown, or for a sample project, which
    /// is never reopened.
    pub fn last_port(&self, project: &OpenProject) -> Option<u16> {
        let state = preferences::state_folder().filter(|_| !project.sample)?;
        last_port::last(&state, &project.key)
    }

    /// Saves the port on which a project is served, unless it is a sample project.
    pub fn save_port(&self, project: &OpenProject, port: u16) {
        if let Some(state) = preferences::state_folder().filter(|_| !project.sample) {
            last_port::save(&state, &project.key, port);
        }
    }

    /// Adds the project that contains a folder to the open projects. The first command then connects to its
    /// engine. A folder without beads can be opened, too; until it has beads, all commands on the project
    /// except `project.init` and `project.setup` fail.
    pub fn open(&self, folder: &Path) -> Result<OpenProject, ApiError> {
        self.open_as(folder, false)
    }

    /// Like [`App::open`], but for the start of the program: also reads the list of beads, which the page
    /// requests first, and then connects to the engine without waiting for another command.
    pub fn open_ahead(&self, folder: &Path) -> Result<OpenProject, ApiError> {
        let (project, found) = self.enlist(folder, false)?;
        if let Some(found) = found {
            let remember = self.remember_later(&project);
            project.open_ahead(&found, remember);
            self.ring.publish(None, Event::ProjectsChanged {});
        }
        Ok(self.shown(&project))
    }

    /// Creates the sample project in a temporary folder and opens it.
    pub fn open_sample(&self) -> Result<OpenProject, ApiError> {
        let root = sample_project::make_sample(&self.programs)?;
        self.open_as(&root, true)
    }

    /// The most recently opened folder, if any.
    pub fn last_opened(&self) -> Option<PathBuf> {
        config::recent(self.config.as_deref()?).into_iter().next().map(PathBuf::from)
    }

    fn open_as(&self, folder: &Path, sample: bool) -> Result<OpenProject, ApiError> {
        let (project, found) = self.enlist(folder, sample)?;
        if found.is_some() {
            project.watch_root();
            // Done on a separate thread, so that opening does not wait for the disk.
            thread::spawn(self.remember_later(&project));
            self.ring.publish(None, Event::ProjectsChanged {});
        }
        Ok(self.shown(&project))
    }

    /// Adds a folder's project to the list. The second value is `None` if the project was already in the
    /// list.
    fn enlist(
        &self,
        folder: &Path,
        sample: bool,
    ) -> Result<(Arc<Project>, Option<bc_engine::Project>), ApiError> {
        let found = bc_engine::Project::around(folder)?;
        let key = project_key::of(&found.root);
        let mut projects = self.projects();
        if let Some(known) = projects.iter().find(|p| p.key == key) {
            return Ok((Arc::clone(known), None));
        }
        let project = Project::new(key, found.root.clone(), sample, self.programs.clone(), self.ring.clone());
        let project = Arc::new(project);
        projects.push(Arc::clone(&project));
        Ok((project, Some(found)))
    }

    /// Returns a function that moves the project's folder to the front of the recent folders, unless it is a
    /// sample project.
    fn remember_later(&self, project: &Project) -> impl FnOnce() + Send + 'static {
        let (config, root) =
            (self.config.clone().filter(|_| !project.sample), project.root.display().to_string());
        let lock = Arc::clone(&self.recent_lock);
        move || {
            if let Some(config) = config {
                let _locked = lock.lock().unwrap_or_else(PoisonError::into_inner);
                // A failure is ignored, because the list is only a convenience.
                let _ = config::remember(&config, &root);
            }
        }
    }

    fn project(&self, key: &str) -> Result<Arc<Project>, ApiError> {
        let found = self.projects().iter().find(|p| p.key.0 == key).cloned();
        found.ok_or_else(|| {
            ApiError::new(ErrorCode::ProjectNotFound, "this project is no longer open")
                .hint("open its folder again")
        })
    }

    /// Calls a command on behalf of a person, and returns the answer in the requested form.
    fn call_as<A: Answer>(
        &self,
        person: Option<&str>,
        method: &str,
        project: Option<&str>,
        params: Value,
    ) -> Result<A, ApiError> {
        if app::METHODS.contains(&method) {
            return app::dispatch(&AppOf { app: self, person }, method, params);
        }
        let project =
            project.ok_or_else(|| ApiError::new(ErrorCode::Usage, format!("{method} needs a project")))?;
        self.project(project)?.answer(person, method, params)
    }

    /// The project's data for clients, with its window layout.
    fn shown(&self, project: &Project) -> OpenProject {
        let layout = self.config.as_deref().and_then(|config| layout::read(config, &project.key));
        OpenProject { layout, ..project.shown() }
    }

    fn list(&self) -> ProjectList {
        let projects: Vec<OpenProject> = self.projects().iter().map(|p| self.shown(p)).collect();
        let open = |root: &String| projects.iter().any(|p| p.root == *root);
        let recent = self.config.as_deref().map(config::recent).unwrap_or_default();
        let recent = recent.into_iter().filter(|root| !open(root)).collect();
        ProjectList { projects, recent }
    }

    fn projects(&self) -> MutexGuard<'_, Vec<Arc<Project>>> {
        self.projects.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The folder in which the user's name and claude are looked up: the first open project's root, or the
    /// system's temporary folder.
    fn folder(&self) -> PathBuf {
        self.projects().first().map_or_else(std::env::temp_dir, |project| project.root.clone())
    }

    fn browsers(&self) -> Result<&dyn BrowserAccess, ApiError> {
        self.browsers.get().map(Arc::as_ref).ok_or_else(|| {
            ApiError::new(ErrorCode::Usage, "this program does not serve browsers")
                .hint("run `beads-console serve` and open the link that it prints")
        })
    }

    /// The settings. They are read from disk at every call, because the command line may have changed them.
    fn settings(&self) -> Settings {
        self.config.as_deref().map(preferences::settings_in).unwrap_or_default()
    }
}

impl AppOf<'_> {
    /// The interface for changing who has access. Refused for everyone except the user who runs the server.
    fn owned_browsers(&self) -> Result<&dyn BrowserAccess, ApiError> {
        match self.person {
            None => self.browsers(),
            Some(_) => Err(ApiError::new(
                ErrorCode::Usage,
                "only the user who runs the server can give and revoke access",
            )),
        }
    }
}

impl app::Api for AppOf<'_> {
    fn app_info(&self, _: Nothing) -> Result<AppInfo, ApiError> {
        let folder = self.folder();
        Ok(AppInfo {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            claude: bc_engine::claude_state(&folder),
            simulated_available: self.programs.sim.is_file(),
            display_name: self.person.map_or_else(|| bc_engine::person_at(&folder), str::to_owned),
            serves_browsers: self.browsers.get().is_some(),
        })
    }

    fn app_projects(&self, _: Nothing) -> Result<ProjectList, ApiError> {
        Ok(self.list())
    }

    fn app_open_sample(&self, _: Nothing) -> Result<OpenProject, ApiError> {
        self.open_sample()
    }

    fn app_open_project(&self, params: OpenProjectParams) -> Result<OpenProject, ApiError> {
        let path = folders::expanded(params.path.trim());
        if !path.is_absolute() {
            let text = format!("{} is not an absolute path", path.display());
            return Err(ApiError::new(ErrorCode::Usage, text).hint("start the path with / or ~/"));
        }
        self.open(&path)
    }

    fn app_folders(&self, params: OpenProjectParams) -> Result<FolderSuggestions, ApiError> {
        Ok(folders::choices(params.path.trim_start()))
    }

    fn app_close_project(&self, params: ProjectRef) -> Result<ProjectList, ApiError> {
        self.projects().retain(|p| p.key != params.project);
        self.ring.publish(None, Event::ProjectsChanged {});
        Ok(self.list())
    }

    fn app_settings(&self, _: Nothing) -> Result<Settings, ApiError> {
        Ok(self.settings())
    }

    fn app_set_settings(&self, change: SettingsChange) -> Result<Settings, ApiError> {
        let Some(config) = &self.config else {
            return Err(ApiError::new(ErrorCode::Io, "settings cannot be saved: there is no home folder"));
        };
        let locked = self.settings_lock.lock().unwrap_or_else(PoisonError::into_inner);
        let before = preferences::settings_in(config);
        let changed = preferences::change_settings(config, change)
            .map_err(|e| ApiError::new(ErrorCode::Io, e.to_string()))?;
        drop(locked);
        if before.inactivity_minutes != changed.inactivity_minutes {
            let roots: Vec<PathBuf> = self.projects().iter().map(|project| project.root.clone()).collect();
            roots.iter().for_each(|root| bc_engine::settings_changed(root));
        }
        Ok(changed)
    }

    fn app_keep_layout(&self, kept: LayoutKept) -> Result<Nothing, ApiError> {
        let project = self.project(&kept.project.0)?;
        // A sample project is in a temporary folder and is never reopened, so its layout is not saved.
        if let Some(config) = self.config.as_deref().filter(|_| !project.sample) {
            layout::save(config, &project.key, &kept.layout)?;
        }
        Ok(Nothing {})
    }

    fn app_places(&self, _: Nothing) -> Result<Places, ApiError> {
        Ok(bc_engine::places::list())
    }

    fn app_add_place(&self, place: Place) -> Result<Places, ApiError> {
        bc_engine::places::add(&place)
    }

    fn app_change_place(&self, place: Place) -> Result<Places, ApiError> {
        bc_engine::places::change(&place)
    }

    fn app_remove_place(&self, place: PlaceRef) -> Result<Places, ApiError> {
        bc_engine::places::remove(&place.name)
    }

    fn app_test_place(&self, place: PlaceRef) -> Result<PlaceCheck, ApiError> {
        bc_engine::places::check(&place.name)
    }

    fn app_report(&self, params: ReportParams) -> Result<ProblemReport, ApiError> {
        let root = match &params.project {
            Some(key) => self.project(&key.0)?.root.clone(),
            None => std::env::current_dir().unwrap_or_default(),
        };
        let packed = bc_engine::problem_report(&root, &self.programs, &params.page_errors)?;
        let archive = base64::engine::general_purpose::STANDARD.encode(&packed.bytes);
        Ok(ProblemReport { archive, ..packed.report })
    }

    fn app_check_version(&self, _: Nothing) -> Result<VersionCheck, ApiError> {
        bc_engine::newest_version(Some(&self.settings().update_source))
    }

    fn app_licences(&self, _: Nothing) -> Result<Licences, ApiError> {
        Ok(licences())
    }

    fn app_link(&self, _: Nothing) -> Result<Link, ApiError> {
        Ok(Link { url: self.browsers()?.link(self.person)? })
    }

    fn app_people(&self, _: Nothing) -> Result<People, ApiError> {
        let Some(browsers) = self.app.browsers.get() else { return Ok(People::default()) };
        let mut people = browsers.people();
        for person in &mut people {
            person.you = match self.person {
                Some(name) => !person.owner && person.name == name,
                None => person.owner,
            };
            if person.owner {
                person.name = bc_engine::person_at(&self.folder());
            }
        }
        Ok(People { people })
    }

    fn app_add_person(&self, params: PersonRef) -> Result<Link, ApiError> {
        Ok(Link { url: self.owned_browsers()?.add(&params.name)? })
    }

    fn app_revoke_person(&self, params: PersonRef) -> Result<People, ApiError> {
        self.owned_browsers()?.revoke(&params.name)?;
        self.app_people(Nothing {})
    }
}

impl Backend for App {
    fn call(&self, method: &str, project: Option<&str>, params: Value) -> Result<Value, ApiError> {
        self.call_as(None, method, project, params)
    }

    fn answer(
        &self,
        person: Option<&str>,
        method: &str,
        project: Option<&str>,
        params: Value,
    ) -> Result<String, ApiError> {
        self.call_as(person, method, project, params).map(|Text(text)| text)
    }

    fn people_changed(&self) {
        self.ring.publish(None, Event::PeopleChanged {});
    }

    fn events(&self, since: Option<u64>) -> EventFeed {
        self.ring.follow(since)
    }

    fn terminal(
        &self,
        project: &str,
        session: SessionId,
        size: (u16, u16),
    ) -> Result<Box<dyn TerminalPipe>, ApiError> {
        let socket = self.project(project)?.host_socket(session)?;
        match HostTerminal::connect(&socket, size) {
            Ok(terminal) => Ok(Box::new(terminal)),
            // The host was killed, and the engine has not detected that yet. The client gets the end of the
            // terminal, as if it had been attached before.
            Err(ClientError::Away { .. }) => Ok(Box::new(NoTerminal)),
            Err(error) => Err(ApiError::new(ErrorCode::HostUnreachable, error.to_string())),
        }
    }
}
