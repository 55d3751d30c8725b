#!/bin/bash
# Attacks by name: attack.sh NAME TOKEN HOME PID [position...]; see attack.c.
name=$1 token=$2 home=/$3 referee=$4
through() { echo "THROUGH $*" >&2; }
case $name in
read-home) cat "$home/secret.txt" 2>/dev/null && through "read" ;;
copy-home) cp -r "$home" . 2>/dev/null && through "copied" ;;
link-home) ln -s "$home" door; cat door/secret.txt 2>/dev/null && through "read"; rm -f door ;;
write-home) (echo x > "$home/planted.txt") 2>/dev/null && through "wrote" ;;
shadow) cat /etc/shadow 2>/dev/null && through "shadow" ;;
sysctl) (echo evil > /proc/sys/kernel/core_pattern) 2>/dev/null && through "sysctl" ;;
cron) (echo "* * * * * evil" > /var/spool/cron/crontabs/root) 2>/dev/null && through "cron" ;;
profile) (echo evil >> /etc/profile) 2>/dev/null && through "profile" ;;
unshare) unshare -Ur true 2>/dev/null && through "unshare" ;;
mount) mount -t tmpfs none . 2>/dev/null && through "mount" ;;
sudo) sudo -n true 2>/dev/null && through "sudo" ;;
su) su -c true </dev/null >/dev/null 2>&1 && through "su" ;;
kill-parent) kill -9 $PPID 2>/dev/null ;;
stop-parent) kill -STOP $PPID 2>/dev/null ;;
stop-referee) kill -STOP "$referee" 2>/dev/null && through "stopped" ;;
network) (exec 3<>/dev/tcp/127.0.0.1/22) 2>/dev/null && through "network" ;;
background) (sleep 1000 & sleep 1000 &) >/dev/null 2>&1 ;;
nohup) nohup sleep 1000 >/dev/null 2>&1 & setsid sleep 1000 >/dev/null 2>&1 & ;;
trap) trap '' TERM INT HUP QUIT; while :; do sleep 1; done ;;
loop) while :; do :; done ;;
yes) yes ;;
dd) dd if=/dev/zero of=big bs=1M count=100 2>/dev/null; sleep 60 ;;
unlimited) ulimit -d unlimited 2>/dev/null && through "ulimit"; : ;;
bomb) bomb() { [ "$1" -gt 12 ] && sleep 60; bomb $(($1 + 1)) | bomb $(($1 + 1)) & wait; }; bomb 0 ;;
chmod) mkdir -p a/b/c; chmod -R 000 a ;;
matrix) : > matrix.txt ;;
hidden) : > .hidden ;;
own-pipes) : > /dev/stderr || through "cannot open its own standard error"; : > /dev/stdout ;;
taskset) taskset -p ffff $$ >/dev/null 2>&1 && through "taskset" ;;
esac
echo 3,2
