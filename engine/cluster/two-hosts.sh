#!/usr/bin/env bash
# Runs an MPI program on two hosts that talk over TCP. The hosts are network namespaces on this
# machine:
#
#     engine/cluster/two-hosts.sh [-n RANKS] PROGRAM [ARGUMENT]...
#
# RANKS (2 unless given) alternate between the hosts, so neighboring ranks are never on the same
# host. Needs root, iproute2 and Open MPI. Prints how many bytes went over the wire between the
# hosts.
set -euo pipefail

ranks=2
if [ "${1-}" = -n ]; then
    ranks=${2:?-n needs the number of ranks}
    shift 2
fi
if [ $# = 0 ]; then
    sed -n '2,/^set/{s/^# \?//p}' "$0"
    exit 2
fi
if [ "$(id -u)" != 0 ]; then
    echo "two-hosts.sh: only root can make network namespaces" >&2
    exit 2
fi

# A subnet reserved for documentation, which exists only in the two namespaces.
near=192.0.2.1
far=192.0.2.2
name=flockwork-$$
scratch=$(mktemp -d)
clean_up() {
    for host in near far; do ip netns delete "$name-$host" 2>/dev/null || true; done
    rm -rf "$scratch"
}
trap clean_up EXIT

for host in near far; do
    ip netns add "$name-$host"
    ip -n "$name-$host" link set lo up
done
ip -n "$name-near" link add wire type veth peer name wire netns "$name-far"
ip -n "$name-near" address add "$near/30" dev wire
ip -n "$name-far" address add "$far/30" dev wire
for host in near far; do ip -n "$name-$host" link set wire up; done

# Runs a command that sees a host's network and name, by which MPI tells hosts apart.
on_host() {
    local host=$1
    shift
    ip netns exec "$name-$host" unshare --uts -- sh -c 'hostname "$0" && exec "$@"' "$host" "$@"
}

# Replaces ssh: mpirun passes it a host's address and a shell command to run there.
cat >"$scratch/shell-on-host" <<END
#!/bin/sh
[ "\$1" = $far ] || { echo "two-hosts.sh: there is no host \$1" >&2; exit 1; }
shift
exec ip netns exec $name-far unshare --uts -- sh -c 'hostname far && eval "\$*"' sh "\$@"
END
chmod +x "$scratch/shell-on-host"

# MPI does not know that the hosts share the cores of this machine, so waiting ranks must yield.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
status=0
on_host near mpirun -n "$ranks" --host "$near:$ranks,$far:$ranks" --map-by node --bind-to none \
    --mca plm_rsh_agent "$scratch/shell-on-host" --mca pml ob1 --mca btl tcp,self \
    --mca btl_tcp_if_include wire --mca oob_tcp_if_include wire \
    --mca mpi_yield_when_idle 1 "$@" || status=$?

sent() { ip netns exec "$name-$1" cat /sys/class/net/wire/statistics/tx_bytes; }
echo "over the wire: $(sent near) bytes from one host, $(sent far) from the other"
exit "$status"
