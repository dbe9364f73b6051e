//! The network and the sockets of the machine.

use std::net::TcpListener;
use std::os::unix::net::{UnixDatagram, UnixListener};

use onward_event::Tier;

use crate::desk::{desk, desks, open, test_name, text};
use crate::not_tested::not_tested;

/// A small program for what a shell cannot do.
fn python(desk: &crate::desk::Desk, program: &str) -> Option<String> {
    let found = ["/usr/bin/python3", "/usr/local/bin/python3"]
        .into_iter()
        .find(|path| std::path::Path::new(path).exists());
    let Some(python) = found else {
        not_tested(&test_name(), "there is no python3");
        return None;
    };
    Some(text(&crate::desk::ended(desk.run(&[python, "-c", program]))))
}

#[test]
fn a_closed_network_reaches_nobody() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    for desk in desks() {
        let Some(said) = python(
            &desk,
            &format!(
                "import socket\n\
             for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):\n\
             \x20for to in (('127.0.0.1', {port}), ('192.0.2.1', 53)):\n\
             \x20 try:\n\
             \x20  s = socket.socket(socket.AF_INET, kind); s.settimeout(1); s.connect(to); s.send(b'x'); print('sent', 'stream' if kind == socket.SOCK_STREAM else 'datagram', to)\n\
             \x20 except OSError as e: print('refused')\n"
            ),
        ) else {
            return;
        };
        let sent_stream = said.lines().any(|line| line.contains("sent stream"));
        assert!(!sent_stream, "{:?}: {said}", desk.tier);
        // A datagram to the loopback device of its own network leaves that network for nowhere.
        assert!(!said.contains("192.0.2.1"), "{:?}: {said}", desk.tier);
        assert!(listener.accept().is_err(), "{:?}", desk.tier);
    }
}

#[test]
fn loopback_works_in_a_network_of_its_own() {
    let Some(desk) = desk(Tier::Namespaces) else { return };
    let Some(said) = python(
        &desk,
        "import socket\n\
        s = socket.create_server(('127.0.0.1', 0)); c = socket.create_connection(s.getsockname()); a = s.accept()[0]\n\
        c.sendall(b'ping'); print(a.recv(4).decode())",
    ) else {
        return;
    };
    assert_eq!(said, "ping\n");
}

#[test]
fn an_open_network_is_the_machines() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    for mut desk in desks() {
        open(&mut desk);
        let program = format!(
            "import socket; socket.create_connection(('127.0.0.1', {port})).close(); print('reached')"
        );
        let Some(said) = python(&desk, &program) else { return };
        assert_eq!(said, "reached\n", "{:?}", desk.tier);
        listener.accept().unwrap();
    }
}

/// NET-12 and NET-13: a service of the machine that could be asked to do what the command may not.
#[test]
fn sockets_of_services_cannot_be_reached() {
    for network_is_open in [false, true] {
        for mut desk in desks() {
            if network_is_open {
                open(&mut desk);
            }
            let folder = tempfile::tempdir_in("/tmp").unwrap();
            let elsewhere = desk.root.join("service.sock");
            let sockets = [folder.path().join("agent.sock"), elsewhere];
            let listeners = sockets.each_ref().map(|path| UnixListener::bind(path).unwrap());
            listeners.iter().for_each(|listener| listener.set_nonblocking(true).unwrap());
            let datagrams = desk.root.join("log.sock");
            let log = UnixDatagram::bind(&datagrams).unwrap();
            log.set_nonblocking(true).unwrap();
            let Some(said) = python(
                &desk,
                &format!(
                    "import socket\n\
                 for path in ({:?}, {:?}):\n\
                 \x20try:\n\
                 \x20 s = socket.socket(socket.AF_UNIX); s.connect(path); s.send(b'x'); print('reached', path)\n\
                 \x20except OSError as e: print('refused', e)\n\
                 try:\n\
                 \x20a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM); a.sendto(b'x', {:?}); print('reached log')\n\
                 except OSError as e: print('refused', e)\n",
                    sockets[0].display().to_string(),
                    sockets[1].display().to_string(),
                    datagrams.display().to_string()
                ),
            ) else {
                return;
            };
            assert!(!said.contains("reached") && said.lines().count() == 3, "{:?}: {said}", desk.tier);
            for listener in &listeners {
                assert!(listener.accept().is_err(), "{:?}", desk.tier);
            }
            assert!(log.recv(&mut [0; 8]).is_err(), "{:?}", desk.tier);
        }
    }
}

#[test]
fn abstract_sockets_of_the_machine_cannot_be_reached() {
    use std::os::linux::net::SocketAddrExt as _;
    let name = format!("onward-test-{}", std::process::id());
    let address = std::os::unix::net::SocketAddr::from_abstract_name(&name).unwrap();
    let listener = UnixListener::bind_addr(&address).unwrap();
    listener.set_nonblocking(true).unwrap();
    for mut desk in desks() {
        // In an open network only Landlock keeps them apart, from its sixth version on.
        if onward_sandbox::probe(&crate::desk::host()).landlock_version >= Some(6) {
            open(&mut desk);
        } else {
            not_tested(&test_name(), "with an open network, it needs Linux 6.12");
        }
        let program = format!(
            "import socket\ntry:\n s=socket.socket(socket.AF_UNIX); s.connect('\\0{name}'); print('reached')\nexcept OSError as e: print('refused')"
        );
        let Some(said) = python(&desk, &program) else { return };
        assert_eq!(said, "refused\n", "{:?}", desk.tier);
        assert!(listener.accept().is_err());
    }
}

/// Pairs of sockets are what event loops wake themselves with.
#[test]
fn pairs_of_sockets_work() {
    for desk in desks() {
        let Some(said) =
            python(&desk, "import socket; a,b=socket.socketpair(); a.send(b'hi'); print(b.recv(2).decode())")
        else {
            return;
        };
        assert_eq!(said, "hi\n", "{:?}", desk.tier);
    }
}
