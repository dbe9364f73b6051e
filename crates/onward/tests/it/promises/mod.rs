//! What onward does when it is killed, full or doubled, one file for each promise: the real program, real SIGKILL, a
//! full file system, damaged records, two owners, a copied and a moved folder. A scripted model instead of a provider.

mod working;

mod acknowledged_steer;
mod copied_folder;
mod damaged_record;
mod damaged_tail;
mod finished_call;
mod full_disk;
mod headless_approval;
mod late_supervisor;
mod model_stream;
mod pending_approval;
mod running_command;
mod two_owners;
