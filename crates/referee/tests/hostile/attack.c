/* Attacks on the referee and its machine, one by name: attack NAME TOKEN HOME PID [position...].
 * HOME is a folder with a file secret.txt, from the root on (what a command names in full is
 * shown to a program), PID the referee. An attack that gets through says
 * so on standard error ("THROUGH ..."); in the end a legal first move of Othello is printed. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

static const char *token, *home;
static pid_t referee;

#define MB (1 << 20)
static void through(const char *what) { fprintf(stderr, "THROUGH %s\n", what); }
static void answer(void) { static int done; if (!done++) { puts("3,2"); fflush(stdout); } }
static void hang(void) { for (;;) pause(); }
static void bounded_hang(void) { for (int i = 0; i < 600; i++) usleep(100000); }
static char *at(const char *folder, const char *name) {
    static char path[4][4096]; static int next;
    char *p = path[next++ % 4];
    snprintf(p, 4096, "%s/%s", folder, name);
    return p;
}
static void write_to(const char *path, const char *text) {
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd >= 0) { if (write(fd, text, strlen(text)) > 0) through(path); close(fd); }
}
static void create(const char *path) {
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd >= 0) { through(path); close(fd); }
}
static void read_from(const char *path) {
    char buffer[64];
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0) { if (read(fd, buffer, sizeof buffer) > 0) through(path); close(fd); }
}
static void refused(long result, const char *what) { if (result >= 0) through(what); }
static double cpu_now(void) {
    struct timespec t; clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}
static void spin(double seconds) { double from = cpu_now(); while (cpu_now() - from < seconds) {} }
static char *need(void *p) { if (!p || p == MAP_FAILED) { fprintf(stderr, "out of memory\n"); abort(); } return p; }
static void make(const char *path) { close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666)); }
static void touch_pages(char *p, size_t size) { for (size_t i = 0; i < size; i += 4096) p[i] = 1; }
static void fill(int fd, size_t size) {
    static char block[MB]; memset(block, 7, sizeof block);
    for (size_t done = 0; done < size; done += sizeof block)
        if (write(fd, block, sizeof block) <= 0) return;
}

/* ---- system calls that no player needs */
static void keyring(void) { refused(syscall(SYS_add_key, "user", token, "x", 1, -4), "add_key user"); }
static void session_key(void) { refused(syscall(SYS_add_key, "user", token, "x", 1, -3), "add_key session"); }
static void keyctl_join(void) { refused(syscall(SYS_keyctl, 1, token), "keyctl join"); }
static void request_key(void) { if (syscall(SYS_request_key, "user", token, 0, 0) >= 0 || errno == ENOKEY) through("request_key"); }
static void unshare_user(void) { refused(unshare(CLONE_NEWUSER), "unshare user"); }
static void unshare_mount(void) { refused(unshare(CLONE_NEWNS), "unshare mount"); }
static void unshare_net(void) { refused(unshare(CLONE_NEWUSER | CLONE_NEWNET), "unshare net"); }
static void clone_user(void) { long p = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0); if (p == 0) _exit(0); refused(p, "clone user"); }
static void clone_pid(void) { long p = syscall(SYS_clone, CLONE_NEWUSER | CLONE_NEWPID | SIGCHLD, 0, 0, 0, 0); if (p == 0) _exit(0); refused(p, "clone pid"); }
static void clone3_user(void) {
    struct { unsigned long flags, pidfd, child, parent, signal, stack, size, tls; } a = {0};
    a.flags = CLONE_NEWUSER; a.signal = SIGCHLD;
    long p = syscall(SYS_clone3, &a, sizeof a); if (p == 0) _exit(0); refused(p, "clone3 user");
}
static void setns_self(void) { int fd = open("/proc/self/ns/mnt", O_RDONLY); if (fd >= 0) refused(setns(fd, 0), "setns"); }
static void mount_tmpfs(void) { refused(mount("tmpfs", ".", "tmpfs", 0, "size=1g"), "mount tmpfs"); }
static void mount_bind(void) { refused(mount("/", ".", 0, MS_BIND | MS_REC, 0), "bind"); }
static void remount_rw(void) { refused(mount(0, "/", 0, MS_REMOUNT | MS_BIND, 0), "remount"); }
static void umount_proc(void) { refused(umount2("/proc", MNT_DETACH), "umount"); }
static void fsopen_tmpfs(void) { refused(syscall(SYS_fsopen, "tmpfs", 0), "fsopen"); }
static void open_tree_clone(void) { refused(syscall(SYS_open_tree, AT_FDCWD, "/", 1), "open_tree"); }
static void move_mount_root(void) { refused(syscall(SYS_move_mount, AT_FDCWD, "/", AT_FDCWD, ".", 0), "move_mount"); }
static void mount_setattr_rw(void) { unsigned long a[4] = {0, 1, 0, 0}; refused(syscall(442, AT_FDCWD, "/", 0, a, sizeof a), "mount_setattr"); }
static void pivot(void) { refused(syscall(SYS_pivot_root, ".", "."), "pivot_root"); }
static void chroot_here(void) { refused(chroot("."), "chroot"); }
static void ptrace_parent(void) { refused(ptrace(PTRACE_ATTACH, getppid(), 0, 0), "ptrace parent"); }
static void ptrace_me(void) { refused(ptrace(PTRACE_TRACEME, 0, 0, 0), "ptrace me"); }
static void vm_read(void) { char b[8]; struct iovec v = {b, 8}; refused(process_vm_readv(getppid(), &v, 1, &v, 1, 0), "process_vm_readv"); }
static void vm_write(void) { char b[8] = {0}; struct iovec v = {b, 8}; refused(process_vm_writev(getppid(), &v, 1, &v, 1, 0), "process_vm_writev"); }
static void bpf_map(void) { union bpf_attr a = {0}; a.map_type = BPF_MAP_TYPE_ARRAY; a.key_size = 4; a.value_size = 4096; a.max_entries = 10000; refused(syscall(SYS_bpf, BPF_MAP_CREATE, &a, sizeof a), "bpf"); }
static void perf(void) { struct perf_event_attr a = {0}; a.size = sizeof a; a.type = 1; a.exclude_kernel = 1; refused(syscall(SYS_perf_event_open, &a, 0, -1, -1, 0), "perf"); }
static void userfault(void) { refused(syscall(SYS_userfaultfd, 1), "userfaultfd"); }
static void io_uring(void) { char p[256] = {0}; refused(syscall(425, 8, p), "io_uring"); }
static void kexec(void) { if (syscall(SYS_kexec_load, 0, 0, 0, 0) == 0) through("kexec"); }
static void module(void) { refused(syscall(SYS_init_module, "", 0, ""), "init_module"); }
static void reboot_now(void) { refused(syscall(SYS_reboot, 0xfee1dead, 672274793, 0x89abcdef, 0), "reboot"); }
static void swap(void) { refused(syscall(SYS_swapon, "swap", 0), "swapon"); }
static void acct_on(void) { refused(syscall(SYS_acct, 0), "acct"); }
static void klog(void) { char b[64]; refused(syscall(SYS_syslog, 3, b, 64), "syslog"); }
static void clock_back(void) { struct timespec t = {0, 0}; refused(clock_settime(CLOCK_REALTIME, &t), "clock_settime"); }
static void host_name(void) { refused(sethostname("stolen", 6), "sethostname"); }
static void handles(void) { struct { struct file_handle h; char c[128]; } f; int m; f.h.handle_bytes = 128; refused(name_to_handle_at(AT_FDCWD, "/usr", &f.h, &m, 0), "name_to_handle_at"); }
static void fanotify(void) { refused(syscall(SYS_fanotify_init, 0, 0), "fanotify"); }
static void odd_personality(void) { refused(personality(ADDR_NO_RANDOMIZE), "personality"); }
static void kcmp_parent(void) { refused(syscall(SYS_kcmp, getpid(), getppid(), 0, 0, 0), "kcmp"); }
static void pidfd_steal(void) { int fd = syscall(434, getppid(), 0); if (fd >= 0) refused(syscall(438, fd, 0, 0), "pidfd_getfd"); }
static void iopl_3(void) { refused(syscall(SYS_iopl, 3), "iopl"); }
static void ldt(void) { char b[16]; refused(syscall(SYS_modify_ldt, 0, b, 16), "modify_ldt"); }
static void x32_call(void) { refused(syscall(0x40000000 | SYS_getpid), "x32"); }
static void i386_call(void) { long r; __asm__ volatile("int $0x80" : "=a"(r) : "a"(20) : "memory"); if (r > 0) through("i386"); }
static void sysv_shm(void) { int id = shmget(IPC_PRIVATE, MB, IPC_CREAT | 0600); refused(id, "shmget"); }
static void sysv_shm_key(void) { refused(shmget(0x1dec5, MB, IPC_CREAT | 0666), "shmget key"); }
static void sysv_sem(void) { refused(semget(IPC_PRIVATE, 1, IPC_CREAT | 0600), "semget"); }
static void sysv_msg(void) { refused(msgget(IPC_PRIVATE, IPC_CREAT | 0600), "msgget"); }
static void posix_queue(void) { refused(mq_open("/ludex-hostile", O_CREAT | O_RDWR, 0600, (void *)0), "mq_open"); }
static void memfd(void) { int fd = memfd_create("x", 0); refused(fd, "memfd_create"); }
static void memfd_secret_(void) { refused(syscall(447, 0), "memfd_secret"); }
static void xattr_file(void) { int fd = open("tagged", O_CREAT | O_WRONLY, 0600); if (fd >= 0) refused(fsetxattr(fd, "user.note", "x", 1, 0), "fsetxattr"); close(fd); unlink("tagged"); }
static void xattr_folder(void) { refused(setxattr(".", "user.note", "x", 1, 0), "setxattr"); }
static void affinity(void) { cpu_set_t s; CPU_ZERO(&s); for (int i = 0; i < 64; i++) CPU_SET(i, &s); refused(sched_setaffinity(0, sizeof s, &s), "sched_setaffinity"); }
static void affinity_parent(void) { cpu_set_t s; CPU_ZERO(&s); CPU_SET(0, &s); refused(sched_setaffinity(getppid(), sizeof s, &s), "affinity of the parent"); }
static void realtime(void) { struct sched_param p = {1}; refused(sched_setscheduler(0, SCHED_FIFO, &p), "SCHED_FIFO"); }
static void idle_class(void) { struct sched_param p = {0}; refused(sched_setscheduler(0, SCHED_IDLE, &p), "SCHED_IDLE"); }
static void nicer(void) { refused(setpriority(PRIO_PROCESS, 0, -20), "nice -20"); }
static void nice_others(void) { refused(setpriority(PRIO_PROCESS, getppid(), 19), "nice parent"); }
static void raise_limits(void) { struct rlimit r = {1 << 30, 1 << 30}; refused(setrlimit(RLIMIT_DATA, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY}), "rlimit data"); refused(setrlimit(RLIMIT_NOFILE, &r), "rlimit nofile"); }
static void limits_of_parent(void) { struct rlimit r = {1, 1}; refused(prlimit(getppid(), RLIMIT_NOFILE, &r, 0), "prlimit parent"); }
static void become_root(void) { refused(setuid(0), "setuid 0"); refused(setgid(0), "setgid 0"); }
static void set_groups(void) { gid_t g = 0; refused(setgroups(1, &g), "setgroups"); }
static void capabilities(void) { struct { unsigned v; int p; } h = {0x20080522, 0}; unsigned d[6] = {0}; syscall(SYS_capget, &h, d); for (int i = 0; i < 6; i++) if (d[i]) through("capabilities"); if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1) through("new privileges"); }
static void device_node(void) { refused(mknod("disk", S_IFBLK | 0666, 0x0800), "mknod"); unlink("disk"); }
static void setuid_file(void) {
    int fd = open("suid", O_CREAT | O_WRONLY, 0755); if (fd < 0) return; close(fd); chmod("suid", 04755); unlink("suid");
    struct statvfs v; if (statvfs(".", &v) == 0 && !(v.f_flag & ST_NOSUID)) through("set-user-id files");
}
static void terminal(void) { char c = 'x'; if (ioctl(0, 0x5412, &c) == 0) through("TIOCSTI"); int fd = open("/dev/tty", O_RDWR); if (fd >= 0) through("/dev/tty"); }

/* ---- the host's files */
static void sysctl_core(void) { write_to("/proc/sys/kernel/core_pattern", "|/tmp/evil"); }
static void sysctl_host(void) { write_to("/proc/sys/kernel/hostname", "stolen"); write_to("/proc/sys/vm/drop_caches", "1"); }
static void sysrq(void) { write_to("/proc/sysrq-trigger", "h"); }
static void oom_score(void) { write_to("/proc/1/oom_score_adj", "1000"); }
static void parent_mem(void) { char p[64]; snprintf(p, 64, "/proc/%d/mem", getppid()); int fd = open(p, O_RDWR); if (fd >= 0) through(p); snprintf(p, 64, "/proc/%d/mem", referee); fd = open(p, O_RDWR); if (fd >= 0) through(p); }
static void referee_seen(void) { char p[64]; snprintf(p, 64, "/proc/%d/cmdline", referee); int fd = open(p, O_RDONLY); char b[512] = {0}; if (fd >= 0 && read(fd, b, 511) > 0 && !strstr(b, token)) through("the referee's command line"); }
static void read_home(void) { read_from(at(home, "secret.txt")); }
static void list_home(void) { DIR *d = opendir(home); struct dirent *e; while (d && (e = readdir(d))) if (!strcmp(e->d_name, "secret.txt")) through("listed the home"); }
static void link_home(void) { symlink(home, "door"); read_from("door/secret.txt"); unlink("door"); }
static void hard_link_home(void) { refused(link(at(home, "secret.txt"), "copy"), "hard link"); unlink("copy"); }
static void write_home(void) { create(at(home, "planted.txt")); write_to(at(home, "secret.txt"), "x"); }
static void rename_home(void) { refused(rename(at(home, "secret.txt"), at(home, "gone.txt")), "rename"); refused(unlink(at(home, "secret.txt")), "unlink"); }
static void chmod_home(void) { refused(chmod(at(home, "secret.txt"), 0777), "chmod"); refused(utimensat(AT_FDCWD, at(home, "secret.txt"), 0, 0), "utimes"); }
static void truncate_home(void) { refused(truncate(at(home, "secret.txt"), 0), "truncate"); }
static void read_shadow(void) { read_from("/etc/shadow"); read_from("/etc/sudoers"); read_from("/root/.ssh/id_rsa"); read_from("/etc/machine-id"); }
static void write_etc(void) { write_to("/etc/passwd", "x"); create(at("/etc", token)); }
static void write_usr(void) { create(at("/usr/bin", token)); create(at("/usr/local/bin", token)); create(at("/usr/lib", token)); }
static void read_root_home(void) { DIR *d = opendir("/root"); if (d && readdir(d)) through("/root"); d = opendir("/home"); struct dirent *e; while (d && (e = readdir(d))) if (e->d_name[0] != '.') through("/home"); }
static void read_var(void) { DIR *d = opendir("/var/log"); if (d) through("/var/log"); d = opendir("/var/lib"); if (d) through("/var/lib"); }
static void read_sys(void) { read_from("/sys/kernel/uevent_seqnum"); write_to("/sys/power/state", "mem"); }
static void read_devices(void) { static const char *d[] = {"/dev/mem", "/dev/kmsg", "/dev/sda", "/dev/vda", "/dev/fuse", "/dev/kvm", "/dev/loop0", 0}; for (int i = 0; d[i]; i++) { int fd = open(d[i], O_RDONLY | O_NONBLOCK); if (fd >= 0) through(d[i]); } }
static void dot_dot(void) { char p[512] = "."; for (int i = 0; i < 40; i++) strcat(p, "/.."); strcat(p, home); strcat(p, "/secret.txt"); read_from(p); }
static void proc_root(void) { char p[256]; for (int i = 1; i < 4; i++) { snprintf(p, 256, "/proc/%d/root%s/secret.txt", i == 3 ? referee : i == 2 ? getppid() : 1, home); read_from(p); } }
static void proc_cwd(void) { char p[256]; snprintf(p, 256, "/proc/%d/cwd/Cargo.toml", referee); read_from(p); snprintf(p, 256, "/proc/%d/environ", referee); read_from(p); }
static void inherited(void) { for (int fd = 3; fd < 256; fd++) if (fcntl(fd, F_GETFD) >= 0) through("an inherited file"); }
static void own_program(void) { write_to("/proc/self/exe", "x"); char p[4096]; ssize_t n = readlink("/proc/self/exe", p, 4095); if (n > 0) { p[n] = 0; refused(truncate(p, 0), "own program"); refused(unlink(p), "own program removed"); } }

/* ---- other processes and the network */
static void kill_parent(void) { kill(getppid(), SIGKILL); }
static void stop_parent(void) { kill(getppid(), SIGSTOP); kill(getppid(), SIGTSTP); }
static void stop_parent_group(void) { kill(-getppid(), SIGSTOP); }
static void kill_referee(void) { if (kill(referee, SIGUSR1) == 0 && referee != getpid()) through("signal to the referee"); }
static void stop_referee(void) { if (kill(referee, SIGSTOP) == 0) through("stopped the referee"); }
static void kill_threads(void) { if (syscall(SYS_tgkill, referee, referee, SIGUSR1) == 0) through("tgkill"); }
static void kill_by_thread(void) {
    pid_t others[] = {referee, getppid()};
    for (int i = 0; i < 2; i++) {
        char p[64]; snprintf(p, 64, "/proc/%d/task", others[i]);
        DIR *d = opendir(p); struct dirent *e;
        while (d && (e = readdir(d))) if (atoi(e->d_name) > 1 && kill(atoi(e->d_name), 0) == 0) through("a signal to a thread of the referee");
        for (int t = others[i] - 50; t < others[i] + 50; t++) if (t > 1 && t != getpid() && kill(t, 0) == 0) through("a signal to somebody near the referee");
    }
}
static void queue_signal(void) { union sigval v = {0}; if (sigqueue(referee, SIGUSR1, v) == 0) through("sigqueue"); }
static void pidfd_signal(void) { int fd = syscall(434, referee, 0); if (fd >= 0 && syscall(424, fd, SIGUSR1, 0, 0) == 0) through("pidfd_send_signal"); }
static void kill_all(void) { signal(SIGTERM, SIG_IGN); kill(-1, SIGTERM); }
static void owner_signal(void) { int p[2]; if (pipe(p)) return; if (fcntl(p[0], F_SETOWN, referee) == 0) through("signals by a pipe"); }
static void tcp(void) { int s = socket(AF_INET, SOCK_STREAM, 0); struct sockaddr_in a = {AF_INET, htons(80), {htonl(INADDR_LOOPBACK)}}; if (s >= 0 && bind(s, (void *)&a, 0) == 0) through("bind"); refused(s, "inet socket"); }
static void udp(void) { refused(socket(AF_INET, SOCK_DGRAM, 0), "udp socket"); refused(socket(AF_INET6, SOCK_DGRAM, 0), "udp6 socket"); }
static void raw_packets(void) { refused(socket(AF_PACKET, SOCK_RAW, 0), "packet socket"); refused(socket(AF_INET, SOCK_RAW, 1), "raw socket"); }
static void netlink(void) { refused(socket(AF_NETLINK, SOCK_RAW, 0), "netlink"); }
static void vsock(void) { refused(socket(40, SOCK_STREAM, 0), "vsock"); refused(socket(AF_ALG, SOCK_SEQPACKET, 0), "af_alg"); }
static void unix_services(void) { static const char *p[] = {"/run/dbus/system_bus_socket", "/run/systemd/private", "/var/run/docker.sock", "/run/user/0/bus", 0}; for (int i = 0; p[i]; i++) { int s = socket(AF_UNIX, SOCK_STREAM, 0); struct sockaddr_un a = {AF_UNIX, ""}; strcpy(a.sun_path, p[i]); if (connect(s, (void *)&a, sizeof a) == 0) through(p[i]); close(s); } }

/* ---- limits */
static void memory_touch(void) { size_t n = 900UL * MB; touch_pages(need(malloc(n)), n); bounded_hang(); }
static void memory_shared(void) { size_t n = 900UL * MB; char *p = mmap(0, n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0); touch_pages(need(p), n); bounded_hang(); }
/* A child, however long other attacks of the same user leave no room for one. */
static pid_t child(void) { pid_t p; while ((p = fork()) < 0 && errno == EAGAIN) usleep(2000); return p; }
static void memory_forks(void) { for (int i = 0; i < 12; i++) if (child() == 0) { touch_pages(need(malloc(60UL * MB)), 60UL * MB); bounded_hang(); _exit(0); } bounded_hang(); }
static void memory_shared_forks(void) { for (int i = 0; i < 6; i++) if (child() == 0) { char *p = mmap(0, 120UL * MB, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0); touch_pages(p, 120UL * MB); bounded_hang(); _exit(0); } bounded_hang(); }
static void memory_file(void) { int fd = open("map", O_CREAT | O_RDWR, 0600); for (int i = 0; i < 100; i++) { ftruncate(fd, 15UL * MB); char *p = mmap(0, 15UL * MB, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0); touch_pages(need(p), 15UL * MB); } bounded_hang(); }
static void *eat(void *p) { touch_pages(need(malloc(50UL * MB)), 50UL * MB); bounded_hang(); return p; }
static void memory_threads(void) { pthread_t t; for (int i = 0; i < 20; i++) pthread_create(&t, 0, eat, 0); bounded_hang(); }
static void memory_stack(void) { struct rlimit r = {RLIM_INFINITY, RLIM_INFINITY}; setrlimit(RLIMIT_STACK, &r); for (int i = 0; i < 40; i++) if (child() == 0) { char big[7 * MB]; touch_pages(big, sizeof big); hang(); } bounded_hang(); }
static void memory_shm_folder(void) { int fd = open("/dev/shm/x", O_CREAT | O_RDWR, 0600); if (fd < 0) { answer(); exit(0); } for (int i = 0; i < 40; i++) { char n[32]; snprintf(n, 32, "/dev/shm/x%d", i); fd = open(n, O_CREAT | O_RDWR, 0600); fill(fd, 8 * MB); } answer(); }
static void memory_locked(void) { char *p = mmap(0, 64UL * MB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); if (mlock(p, 64UL * MB) == 0) through("mlock"); }
static void cpu_spin(void) { for (;;) {} }
static void *spin_thread(void *p) { for (;;) {} return p; }
static void cpu_threads(void) { pthread_t t; for (int i = 0; i < 8; i++) pthread_create(&t, 0, spin_thread, 0); hang(); }
static void cpu_forks(void) { for (int i = 0; i < 6; i++) if (child() == 0) for (;;) {} hang(); }
static void spin_children(void) {
    volatile int *busy = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < 400; i++) {
        while (*busy >= 4) usleep(1000);
        __sync_fetch_and_add((int *)busy, 1);
        if (child() == 0) { spin(0.02); __sync_fetch_and_sub((int *)busy, 1); _exit(0); }
    }
    answer();
}
static void cpu_ignored(void) { signal(SIGCHLD, SIG_IGN); spin_children(); }
static void cpu_nocldwait(void) { struct sigaction a = {0}; a.sa_handler = SIG_DFL; a.sa_flags = SA_NOCLDWAIT; sigaction(SIGCHLD, &a, 0); spin_children(); }
static void cpu_orphans(void) { for (int i = 0; i < 400; i++) { int w[2]; char c; pipe(w); pid_t p = child(); if (p == 0) { setsid(); close(w[0]); if (child() == 0) { spin(0.02); } _exit(0); } close(w[1]); waitpid(p, 0, 0); read(w[0], &c, 1); close(w[0]); } answer(); }
static void cpu_vfork(void) { for (int i = 0; i < 400; i++) { pid_t p; while ((p = vfork()) < 0 && errno == EAGAIN) usleep(2000); if (p == 0) { double f = cpu_now(); while (cpu_now() - f < 0.02) {} _exit(0); } } answer(); }
static void cpu_exec(void) { const char *n = getenv("LEFT"); int left = n ? atoi(n) : 400; spin(0.02); if (left <= 0) { answer(); exit(0); } char b[16]; snprintf(b, 16, "%d", left - 1); setenv("LEFT", b, 1); char p[64]; snprintf(p, 64, "%d", referee); execl("/proc/self/exe", "attack", "cpu-exec", token, home, p, (char *)0); for (;;) {} }
static void sleep_long(void) { hang(); }
static void stop_self(void) { raise(SIGSTOP); hang(); }
static void ignore_signals(void) { for (int i = 1; i < 64; i++) signal(i, SIG_IGN); hang(); }
static void block_signals(void) { sigset_t s; sigfillset(&s); sigprocmask(SIG_BLOCK, &s, 0); hang(); }
static void flood_out(void) { char b[4096]; memset(b, 'y', sizeof b); for (;;) if (write(1, b, sizeof b) <= 0) hang(); }
static void flood_both(void) { if (child() == 0) for (;;) write(2, "eeeeeeeeeeeeeeee", 16); flood_out(); }
static void close_all(void) { for (int i = 0; i < 256; i++) close(i); hang(); }
static void fork_bomb(void) { volatile int *n = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0); while (__sync_fetch_and_add((int *)n, 1) < 2000) fork(); hang(); }
static void fork_chain(void) { for (int i = 0; i < 3000; i++) { pid_t p = fork(); if (p > 0) _exit(0); if (p == 0) setsid(); } hang(); }
static void *idle_thread(void *p) { hang(); return p; }
static void thread_bomb(void) { pthread_attr_t a; pthread_attr_init(&a); pthread_attr_setstacksize(&a, 65536); pthread_t t; for (int i = 0; i < 3000; i++) pthread_create(&t, &a, idle_thread, 0); hang(); }
static void daemons(void) { for (int i = 0; i < 8; i++) if (child() == 0) { setsid(); if (child() == 0) { signal(SIGHUP, SIG_IGN); signal(SIGTERM, SIG_IGN); close(0); close(1); close(2); hang(); } _exit(0); } answer(); }
static void daemon_with_pipe(void) { if (child() == 0) { setsid(); hang(); } answer(); }
static void zombie_parent(void) { for (int i = 0; i < 20; i++) if (fork() == 0) _exit(0); answer(); }

/* ---- the disk */
static void big_file(void) { int fd = open("big", O_CREAT | O_WRONLY, 0600); fill(fd, 40UL * MB); hang(); }
static void many_files(void) { for (int i = 0; i < 40; i++) { char n[32]; snprintf(n, 32, "f%d", i); int fd = open(n, O_CREAT | O_WRONLY, 0600); fill(fd, 3 * MB); close(fd); } bounded_hang(); }
static void removed_files(void) { for (int i = 0; i < 40; i++) { int fd = open("x", O_CREAT | O_WRONLY, 0600); unlink("x"); fill(fd, 3 * MB); } bounded_hang(); }
static void removed_mapped(void) { for (int i = 0; i < 40; i++) { int fd = open("x", O_CREAT | O_RDWR | O_CLOEXEC, 0600); unlink("x"); fill(fd, 3 * MB); need(mmap(0, 4096, PROT_READ, MAP_SHARED, fd, 0)); close(fd); } bounded_hang(); }
static int hold_removed(void *p) { removed_files(); return 0; }
static void hidden_files(void) {
    char *stack = need(malloc(MB));
    if (clone(hold_removed, stack + MB, CLONE_VM | CLONE_FS | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM, 0) >= 0) { through("a thread with open files of its own"); bounded_hang(); }
    refused(syscall(436, 1000, 1000, 2), "a list of open files of its own");
    if (syscall(436, 1000, 1000, 0)) through("close_range");
}
static void passed_files(void) {
    int pair[2]; socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
    for (int i = 0; i < 40; i++) {
        int fd = open("x", O_CREAT | O_RDWR | O_CLOEXEC, 0600); unlink("x"); fill(fd, 3 * MB);
        char c = 0, room[CMSG_SPACE(sizeof fd)] = {0}; struct iovec v = {&c, 1}; struct msghdr m = {0, 0, &v, 1, room, sizeof room, 0};
        struct cmsghdr *h = CMSG_FIRSTHDR(&m); h->cmsg_level = SOL_SOCKET; h->cmsg_type = SCM_RIGHTS; h->cmsg_len = CMSG_LEN(sizeof fd); memcpy(CMSG_DATA(h), &fd, sizeof fd);
        if (sendmsg(pair[0], &m, 0) < 0) return;
        close(fd);
    }
    bounded_hang();
}
static void many_names(void) {
    char n[256]; memset(n, 'n', 255); n[200] = 0;
    for (int i = 0; i < 24000; i++) { snprintf(n + 190, 10, "%d", i); if (i % 3 == 0) mkdir(n, 0700); else if (i % 3 == 1) symlink("nowhere", n); else make(n); }
    bounded_hang();
}
static void temp_files(void) { for (int i = 0; i < 40; i++) { int fd = open(".", O_TMPFILE | O_WRONLY, 0600); if (fd < 0) { answer(); exit(0); } fill(fd, 3 * MB); } bounded_hang(); }
static void deep_folders(void) { char n[200]; memset(n, 'd', 199); n[199] = 0; for (int i = 0; i < 1500; i++) { if (mkdir(n, 0700) || chdir(n)) break; if (i % 40 == 39) { int fd = open("x", O_CREAT | O_WRONLY, 0600); fill(fd, 3 * MB); close(fd); } } bounded_hang(); }
static void deep_empty(void) { for (int i = 0; i < 4000; i++) if (mkdir("d", 0700) || chdir("d")) break; answer(); }
static void locked_folders(void) { mkdir("a", 0700); mkdir("a/b", 0700); make("a/b/c"); chmod("a/b", 0); chmod("a", 0); answer(); }
static void sparse(void) { int fd = open("s", O_CREAT | O_WRONLY, 0600); ftruncate(fd, 10UL * MB); close(fd); unlink("s"); answer(); }
static void many_inodes(void) { char n[32]; for (int i = 0; i < 200000; i++) { snprintf(n, 32, "i%d", i); int fd = open(n, O_CREAT | O_WRONLY, 0600); if (fd < 0) break; close(fd); } answer(); }
static void fifo_file(void) { mkfifo("pipe", 0600); answer(); }
static void odd_names(void) { make("new\nline"); make("\xff\xfe"); make("-rf"); answer(); }
static void fallocate_(void) { for (int i = 0; i < 40; i++) { char n[32]; snprintf(n, 32, "a%d", i); int fd = open(n, O_CREAT | O_WRONLY, 0600); posix_fallocate(fd, 0, 3 * MB); } answer(); }

/* ---- memory between moves: a note that the next move finds */
static void note_file(void) { if (access("note", F_OK) == 0) through("a file"); close(open("note", O_CREAT | O_WRONLY, 0600)); answer(); }
static void note_matrix(void) { if (access("matrix.txt", F_OK) == 0) through("matrix.txt"); close(open("matrix.txt", O_CREAT | O_WRONLY, 0600)); answer(); }
static void note_tmp(void) { if (access("/tmp/note", F_OK) == 0) through("/tmp"); close(open("/tmp/note", O_CREAT | O_WRONLY, 0600)); answer(); }
static void note_shm(void) { if (access("/dev/shm/note", F_OK) == 0) through("/dev/shm"); close(open("/dev/shm/note", O_CREAT | O_WRONLY, 0600)); answer(); }
static void note_time(void) { struct stat s; stat(".", &s); if (s.st_mtime == 12345) through("folder time"); struct timespec t[2] = {{12345, 0}, {12345, 0}}; utimensat(AT_FDCWD, ".", t, 0); answer(); }
static void note_mode(void) { struct stat s; stat(".", &s); if ((s.st_mode & 0777) == 0751) through("folder mode"); chmod(".", 0751); answer(); }
static void note_socket(void) { int s = socket(AF_UNIX, SOCK_STREAM, 0); struct sockaddr_un a = {AF_UNIX, ""}; strcpy(a.sun_path + 1, "ludex-hostile"); if (connect(s, (void *)&a, sizeof a) == 0) through("abstract socket"); if (fork() == 0) { setsid(); s = socket(AF_UNIX, SOCK_STREAM, 0); bind(s, (void *)&a, sizeof a); listen(s, 1); hang(); } usleep(30000); answer(); }

/* ---- matrix.txt */
static void swap_matrix(const char *target) { unlink("matrix.txt"); symlink(target, "matrix.txt"); }
static void matrix_link(void) { swap_matrix(at(home, "secret.txt")); }
static void matrix_dangling(void) { swap_matrix(at(home, "planted.txt")); }
static void matrix_fifo(void) { unlink("matrix.txt"); mkfifo("matrix.txt", 0600); }
static void matrix_folder(void) { unlink("matrix.txt"); mkdir("matrix.txt", 0); }
static void matrix_device(void) { swap_matrix("/dev/zero"); }
static void matrix_proc(void) { swap_matrix("/proc/self/mem"); }
static void matrix_hard(void) { link("matrix.txt", "second"); unlink("second"); link("matrix.txt", "third"); }
static void matrix_huge(void) { int fd = open("matrix.txt", O_WRONLY | O_TRUNC); fill(fd, 8 * MB); }
static void matrix_sparse(void) { truncate("matrix.txt", 15L * MB); }
static void matrix_mode(void) { chmod("matrix.txt", 0); }
static void matrix_socket(void) { unlink("matrix.txt"); int s = socket(AF_UNIX, SOCK_STREAM, 0); struct sockaddr_un a = {AF_UNIX, "matrix.txt"}; bind(s, (void *)&a, sizeof a); }
static void matrix_loop(void) { swap_matrix("matrix.txt"); }
static void matrix_gone(void) { unlink("matrix.txt"); }

/* ---- engines */
static void engine(const char *slow_word) {
    char line[4096];
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, slow_word, strlen(slow_word))) usleep(700000);
        if (!strncmp(line, "ping", 4)) printf("pong %s", line + 5);
        else if (!strncmp(line, "go", 2)) printf("=== d3\n");
        else if (!strncmp(line, "genmove", 7)) printf("= d3\n\n");
        else if (strncmp(line, "nboard", 6) && strncmp(line, "set", 3)) printf("=\n\n");
        fflush(stdout);
    }
}
static void gtp_play(void) { engine("clear_board"); }
static void gtp_settings(void) { engine("time_settings"); }
static void nboard_ping(void) { engine("ping 2"); }
static void gtp_flood(void) { for (;;) { printf("# thinking\n"); } }
static void gtp_resign(void) { char line[4096]; while (fgets(line, sizeof line, stdin)) { printf("= %s\n\n", strncmp(line, "genmove", 7) ? "" : "resign"); fflush(stdout); } }
static void gtp_die(void) { char line[64]; fgets(line, 64, stdin); raise(SIGKILL); }

/* ---- hiding from those who measure */
static void odd_name(void) { prctl(PR_SET_NAME, "\xff\xfe"); }
static void undumpable(void) { refused(prctl(PR_SET_DUMPABLE, 0), "undumpable"); }
static void copy_self(const char *to, mode_t mode) {
    char buffer[65536]; ssize_t n;
    int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), fd = open(to, O_WRONLY | O_CREAT | O_CLOEXEC, mode);
    if (fd >= 0 && !(mode & 0400)) through("a file that nobody can read");
    while (fd >= 0 && (n = read(from, buffer, sizeof buffer)) > 0) write(fd, buffer, n);
    close(from); close(fd);
}
static void hide(void) {
    copy_self("x", 0311); unlink("x");
    umask(0400); copy_self("x", 0711); umask(022); chmod("x", 0311);
    int fd = open("x", O_RDONLY | O_CLOEXEC); if (fd >= 0) { fchmod(fd, 0311); close(fd); }
    struct stat s; if (stat("x", &s) == 0 && !(s.st_mode & 0400)) through("a program that nobody can read");
    unlink("x");
    int tmp = open(".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0311); if (tmp >= 0) { through("O_TMPFILE"); close(tmp); }
}
static void memory_odd_name(void) { odd_name(); memory_shared(); }
static void memory_undumpable(void) { undumpable(); memory_shared(); }
static void memory_hidden(void) { hide(); memory_shared(); }
static void threads_odd_name(void) { odd_name(); thread_bomb(); }
static void removed_undumpable(void) { undumpable(); odd_name(); removed_files(); }
static void cpu_hidden(void) { hide(); odd_name(); spin(60); }
static void vfork_memory(void) {
    touch_pages(need(malloc(70UL * MB)), 70UL * MB);
    pid_t p; while ((p = vfork()) < 0 && errno == EAGAIN) usleep(2000);
    if (p == 0) { usleep(300000); _exit(0); }
}
/* ---- files and sockets that others use, too */
static void lease(void) {
    const char *paths[] = {"/proc/self/exe", "/usr/bin/true", "/etc/ld.so.cache"};
    for (size_t i = 0; i < 3; i++) {
        int fd = open(paths[i], O_RDONLY | O_CLOEXEC); if (fd < 0) continue;
        refused(fcntl(fd, F_SETLEASE, F_RDLCK), "read lease"); refused(fcntl(fd, F_SETLEASE, F_WRLCK), "write lease"); close(fd);
    }
    int fd = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    refused(fcntl(fd, F_NOTIFY, DN_CREATE), "notify"); close(fd);
}
static void own_file(void) {
    int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC); if (fd < 0) return;
    struct stat s; fstat(fd, &s);
    refused(fchmod(fd, s.st_mode | 06022), "fchmod of its own file"); refused(fchown(fd, getuid(), getgid()), "fchown");
    refused(futimens(fd, 0), "times of its own file");
    int flags = 0x40; refused(ioctl(fd, 0x40086602, &flags), "flags of its own file"); close(fd);
}
static void device_times(void) {
    const char *paths[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) refused(utimensat(AT_FDCWD, paths[i], 0, 0), paths[i]);
    int fd = open("/dev/null", O_WRONLY | O_CLOEXEC); refused(futimens(fd, 0), "times of an open device");
    if (write(fd, "x", 1) != 1) through("/dev/null cannot be written"); close(fd);
}
static void rules_of_landlock(void) { uint64_t attribute = 1 << 2; refused(syscall(444, &attribute, sizeof attribute, 0), "rules of Landlock"); }
static void messages(void) {
    for (int kind = SOCK_DGRAM; kind <= SOCK_RAW; kind++) {
        int pair[2]; if (socketpair(AF_UNIX, kind, 0, pair)) continue;
        struct sockaddr_un to = {AF_UNIX, "/dev/log"};
        if (sendto(pair[0], "x", 1, 0, (void *)&to, sizeof to) >= 0 || (errno != ENOENT && errno != EACCES)) through("a message by name");
        struct sockaddr_un own = {AF_UNIX, "messages"};
        int other = socket(AF_UNIX, kind, 0);
        if (other >= 0) { close(other); continue; }
        through("a socket for messages without sockets"); (void)own;
    }
}
static void referee_memory(void) {
    char path[64];
    pid_t both[] = {referee, getppid()};
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "/proc/%d/mem", both[i]); int fd = open(path, O_RDWR | O_CLOEXEC); if (fd >= 0) { through(path); close(fd); }
        snprintf(path, sizeof path, "/proc/%d/fd/3", both[i]); fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC); if (fd >= 0) { through(path); close(fd); }
        /* Process 1 behind bwrap is started as the program is. */
        snprintf(path, sizeof path, "/proc/%d/environ", both[i]); if (both[i] != 1) read_from(path);
    }
}

/* ---- what there is a fixed number of, and what the kernel keeps */
static void pinned_pages(void) {
    int p[2]; struct iovec v = {need(mmap(0, 4 * MB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)), 4096};
    pipe(p); refused(vmsplice(p[1], &v, 1, SPLICE_F_NONBLOCK), "vmsplice");
}
static void async_io(void) { unsigned long context = 0; refused(syscall(SYS_io_setup, 500, &context), "io_setup"); }
static void inotify(void) { refused(syscall(SYS_inotify_init1, 0), "inotify_init1"); refused(syscall(SYS_inotify_init), "inotify_init"); }
static void not_permitted(long result, const char *what) { if (result >= 0 || (errno != EPERM && errno != ENOSYS)) through(what); }
static void core_scheduling(void) { not_permitted(prctl(62, 1, 0, 0, 0), "PR_SCHED_CORE"); }
static void new_calls(void) { not_permitted(syscall(467, -1, 0, 0, 0, 0), "open_tree_attr"); not_permitted(syscall(443, -1, 0, 0, 0), "quotactl_fd"); for (int n = 470; n < 600; n++) not_permitted(syscall(n, -1, 0, 0, 0, 0, 0), "a call of the future"); }
static void timers(void) {
    int signals[] = {SIGCONT, SIGKILL, SIGRTMIN}; timer_t t;
    for (int i = 0; i < 3; i++) { struct sigevent e = {0}; e.sigev_notify = SIGEV_SIGNAL; e.sigev_signo = signals[i]; refused(timer_create(CLOCK_MONOTONIC, &e, &t), "a timer with a signal"); }
    struct itimerval v = {{0, 0}, {0, 1000}}; signal(SIGALRM, SIG_IGN); if (setitimer(ITIMER_REAL, &v, 0)) through("no timer that rings");
}
static void pinned_files(void) {
    int p[2], q[2]; pipe(p); pipe(q); write(p[1], "x", 1);
    int fd = open("x", O_CREAT | O_RDWR | O_CLOEXEC, 0600); unlink("x"); write(fd, "xxxx", 4);
    off_t at = 0; refused(sendfile(p[1], fd, &at, 1), "sendfile into a pipe"); at = 0; refused(splice(fd, &at, p[1], 0, 1, 0), "splice"); refused(tee(p[0], q[1], 1, SPLICE_F_NONBLOCK), "tee");
    at = 0; if (copy_file_range(fd, &at, fd, 0, 0, 0) < 0 && errno != EXDEV && errno != EINVAL) through("files cannot be copied");
    close(fd);
}
static void record_locks(void) {
    for (int f = 0; f < 200; f++) {
        int fd = open("x", O_CREAT | O_RDWR | O_CLOEXEC, 0600); unlink("x");
        for (int i = 0; i < 500; i++) { struct flock l = {F_WRLCK, SEEK_SET, 2 * i, 1, 0}; if (fcntl(fd, F_SETLK, &l)) break; }
    }
    bounded_hang();
}
static void owner_locks(void) {
    int fd = open("x", O_CREAT | O_RDWR | O_CLOEXEC, 0600); unlink("x"); struct flock l = {F_WRLCK, SEEK_SET, 0, 1, 0};
    refused(fcntl(fd, F_OFD_SETLK, &l), "locks without an owner"); if (fcntl(fd, F_SETLK, &l)) through("no locks at all"); close(fd);
    char *stack = need(malloc(MB)); long p = clone(hold_removed, stack + MB, CLONE_FILES | SIGCHLD, 0); if (p >= 0) { through("a list of open files of two processes"); kill(p, SIGKILL); }
}
static void own_filters(void) {
    struct { unsigned short code; unsigned char t, f; unsigned k; } log = {6, 0, 0, 0x7ffc0000}; struct { unsigned short n; void *p; } program = {1, &log};
    refused(syscall(SYS_seccomp, 1, 0, &program), "seccomp"); refused(prctl(PR_SET_SECCOMP, 2, &program), "PR_SET_SECCOMP");
    refused(syncfs(1), "syncfs");
}
static void core_limit(void) {
    struct rlimit r; getrlimit(RLIMIT_CORE, &r); if (r.rlim_cur != 1 || r.rlim_max != 1) through("a core that goes to a program of the system");
    r.rlim_cur = r.rlim_max = 0; refused(setrlimit(RLIMIT_CORE, &r), "prlimit core"); refused(syscall(SYS_setrlimit, RLIMIT_CORE, &r), "setrlimit core");
    struct rlimit files = {64, 64}; if (setrlimit(RLIMIT_NOFILE, &files)) through("a limit cannot be lowered");
}
static void fill_socket(int s) { static char block[65536]; int more = 8 * MB; setsockopt(s, SOL_SOCKET, SO_SNDBUF, &more, sizeof more); fcntl(s, F_SETFL, O_NONBLOCK); while (write(s, block, sizeof block) > 0) {} }
static void memory_sockets(void) { for (int i = 0; i < 8; i++) if (child() == 0) { int p[2]; while (socketpair(AF_UNIX, SOCK_STREAM, 0, p) == 0) { fill_socket(p[0]); fill_socket(p[1]); } hang(); } bounded_hang(); }
static void memory_backlog(void) {
    int s = socket(AF_UNIX, SOCK_STREAM, 0), c; struct sockaddr_un a = {AF_UNIX, ""}; snprintf(a.sun_path + 1, 90, "%s", token);
    bind(s, (void *)&a, sizeof a); listen(s, 4096);
    for (int i = 0; i < 3000; i++) { c = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0); if (connect(c, (void *)&a, sizeof a) == 0) fill_socket(c); close(c); }
    bounded_hang();
}
static void matrix_temporary(void) { make("matrix.tmp"); unlink("matrix.tmp"); }
static void matrix_renamed(void) { make("matrix.tmp"); rename("matrix.tmp", "matrix.txt"); }

static const struct { const char *name; void (*run)(void); } attacks[] = {
#define A(name, function) {name, function}
    A("keyring", keyring), A("session-key", session_key), A("keyctl-join", keyctl_join), A("request-key", request_key),
    A("unshare-user", unshare_user), A("unshare-mount", unshare_mount), A("unshare-net", unshare_net),
    A("clone-user", clone_user), A("clone-pid", clone_pid), A("clone3-user", clone3_user), A("setns", setns_self),
    A("mount-tmpfs", mount_tmpfs), A("mount-bind", mount_bind), A("remount", remount_rw), A("umount", umount_proc),
    A("fsopen", fsopen_tmpfs), A("open-tree", open_tree_clone), A("move-mount", move_mount_root),
    A("mount-setattr", mount_setattr_rw), A("pivot-root", pivot), A("chroot", chroot_here),
    A("ptrace-parent", ptrace_parent), A("ptrace-me", ptrace_me), A("vm-read", vm_read), A("vm-write", vm_write),
    A("bpf", bpf_map), A("perf", perf), A("userfaultfd", userfault), A("io-uring", io_uring), A("kexec", kexec),
    A("module", module), A("reboot", reboot_now), A("swapon", swap), A("acct", acct_on), A("syslog", klog),
    A("clock", clock_back), A("hostname", host_name), A("handles", handles), A("fanotify", fanotify),
    A("personality", odd_personality), A("kcmp", kcmp_parent), A("pidfd-getfd", pidfd_steal), A("iopl", iopl_3),
    A("ldt", ldt), A("x32", x32_call), A("i386", i386_call), A("sysv-shm", sysv_shm), A("sysv-shm-key", sysv_shm_key),
    A("sysv-sem", sysv_sem), A("sysv-msg", sysv_msg), A("posix-queue", posix_queue), A("memfd", memfd),
    A("memfd-secret", memfd_secret_), A("xattr-file", xattr_file), A("xattr-folder", xattr_folder),
    A("affinity", affinity), A("affinity-parent", affinity_parent), A("realtime", realtime), A("idle-class", idle_class),
    A("nice", nicer), A("nice-others", nice_others), A("raise-limits", raise_limits), A("limits-of-parent", limits_of_parent),
    A("become-root", become_root), A("set-groups", set_groups), A("capabilities", capabilities),
    A("device-node", device_node), A("setuid-file", setuid_file), A("terminal", terminal),
    A("sysctl-core", sysctl_core), A("sysctl-host", sysctl_host), A("sysrq", sysrq), A("oom-score", oom_score),
    A("parent-mem", parent_mem), A("referee-seen", referee_seen), A("read-home", read_home), A("list-home", list_home),
    A("link-home", link_home), A("hard-link-home", hard_link_home), A("write-home", write_home), A("rename-home", rename_home),
    A("chmod-home", chmod_home), A("truncate-home", truncate_home), A("read-shadow", read_shadow), A("write-etc", write_etc),
    A("write-usr", write_usr), A("read-root-home", read_root_home), A("read-var", read_var), A("read-sys", read_sys),
    A("read-devices", read_devices), A("dot-dot", dot_dot), A("proc-root", proc_root), A("proc-cwd", proc_cwd),
    A("inherited", inherited), A("own-program", own_program),
    A("kill-parent", kill_parent), A("stop-parent", stop_parent), A("stop-parent-group", stop_parent_group),
    A("kill-referee", kill_referee), A("stop-referee", stop_referee), A("kill-threads", kill_threads),
    A("kill-by-thread", kill_by_thread), A("queue-signal", queue_signal), A("pidfd-signal", pidfd_signal), A("kill-all", kill_all), A("owner-signal", owner_signal),
    A("tcp", tcp), A("udp", udp), A("raw-packets", raw_packets), A("netlink", netlink), A("vsock", vsock),
    A("unix-services", unix_services),
    A("memory-touch", memory_touch), A("memory-shared", memory_shared), A("memory-forks", memory_forks),
    A("memory-shared-forks", memory_shared_forks), A("memory-file", memory_file), A("memory-threads", memory_threads),
    A("memory-stack", memory_stack), A("memory-shm-folder", memory_shm_folder), A("memory-locked", memory_locked),
    A("cpu-spin", cpu_spin), A("cpu-threads", cpu_threads), A("cpu-forks", cpu_forks), A("cpu-ignored", cpu_ignored),
    A("cpu-nocldwait", cpu_nocldwait), A("cpu-orphans", cpu_orphans), A("cpu-vfork", cpu_vfork), A("cpu-exec", cpu_exec),
    A("sleep", sleep_long), A("stop-self", stop_self), A("ignore-signals", ignore_signals), A("block-signals", block_signals),
    A("flood", flood_out), A("flood-both", flood_both), A("close-all", close_all), A("fork-bomb", fork_bomb),
    A("fork-chain", fork_chain), A("thread-bomb", thread_bomb), A("daemons", daemons), A("daemon-with-pipe", daemon_with_pipe),
    A("zombies", zombie_parent),
    A("big-file", big_file), A("many-files", many_files), A("removed-files", removed_files), A("removed-mapped", removed_mapped), A("hidden-files", hidden_files),
    A("passed-files", passed_files), A("many-names", many_names), A("temp-files", temp_files),
    A("deep-folders", deep_folders), A("deep-empty", deep_empty), A("locked-folders", locked_folders), A("sparse", sparse),
    A("many-inodes", many_inodes), A("fifo", fifo_file), A("odd-names", odd_names), A("fallocate", fallocate_),
    A("note-file", note_file), A("note-matrix", note_matrix), A("note-tmp", note_tmp), A("note-shm", note_shm),
    A("note-time", note_time), A("note-mode", note_mode), A("note-socket", note_socket),
    A("matrix-link", matrix_link), A("matrix-dangling", matrix_dangling), A("matrix-fifo", matrix_fifo),
    A("matrix-folder", matrix_folder), A("matrix-device", matrix_device), A("matrix-proc", matrix_proc),
    A("matrix-hard", matrix_hard), A("matrix-huge", matrix_huge), A("matrix-sparse", matrix_sparse),
    A("matrix-mode", matrix_mode), A("matrix-socket", matrix_socket), A("matrix-loop", matrix_loop), A("matrix-gone", matrix_gone),
    A("gtp-play", gtp_play), A("gtp-settings", gtp_settings), A("nboard-ping", nboard_ping), A("gtp-flood", gtp_flood),
    A("gtp-resign", gtp_resign), A("gtp-die", gtp_die),
    A("memory-odd-name", memory_odd_name), A("memory-undumpable", memory_undumpable), A("memory-hidden", memory_hidden),
    A("threads-odd-name", threads_odd_name), A("removed-undumpable", removed_undumpable), A("cpu-hidden", cpu_hidden),
    A("vfork-memory", vfork_memory), A("lease", lease), A("own-file", own_file), A("device-times", device_times),
    A("rules-of-landlock", rules_of_landlock), A("messages", messages),
    A("referee-memory", referee_memory),
    A("pinned-pages", pinned_pages), A("async-io", async_io), A("inotify", inotify), A("core-scheduling", core_scheduling),
    A("new-calls", new_calls), A("timers", timers), A("core-limit", core_limit), A("pinned-files", pinned_files), A("record-locks", record_locks),
    A("owner-locks", owner_locks), A("own-filters", own_filters), A("memory-sockets", memory_sockets), A("memory-backlog", memory_backlog),
    A("matrix-temporary", matrix_temporary), A("matrix-renamed", matrix_renamed),
};

int main(int argc, char **argv) {
    if (argc < 5) return 2;
    token = argv[2]; home = at("", argv[3]); home = strdup(home); referee = atoi(argv[4]);
    for (size_t i = 0; i < sizeof attacks / sizeof *attacks; i++)
        if (!strcmp(attacks[i].name, argv[1])) {
            attacks[i].run();
            answer();
            return 0;
        }
    fprintf(stderr, "unknown attack %s\n", argv[1]);
    return 2;
}
