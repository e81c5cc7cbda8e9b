# Mounts a FUSE file system that shows a folder, read-only, and stops answering when it is asked to: a server that is gone.
# python3 mount.py FOLDER MOUNT_POINT TYPE. Commands on standard input, a line each: `hang`, `answer`; at its end all is unmounted.
import ctypes
import errno
import os
import select
import stat
import struct
import sys

source, target, kind = (word.encode() for word in sys.argv[1:4])
libc = ctypes.CDLL(None, use_errno=True)
fuse = os.open("/dev/fuse", os.O_RDWR | os.O_CLOEXEC)
options = "fd=%d,rootmode=40000,user_id=0,group_id=0" % fuse
if libc.mount(b"belfry-test", target, kind, 0, options.encode()) != 0:
    sys.exit("mount: " + os.strerror(ctypes.get_errno()))

paths = {1: source}  # by node id
ids = {source: 1}


def node(path):
    if path not in ids:
        ids[path] = len(ids) + 1
        paths[ids[path]] = path
    return ids[path]


def attributes(path):
    s = os.lstat(path)
    times = [int(s.st_atime), int(s.st_mtime), int(s.st_ctime)]
    parts = [s.st_mtime_ns % 10**9] * 3 + [s.st_mode, s.st_nlink, s.st_uid, s.st_gid, 0, 4096, 0]
    return struct.pack("<6Q10I", node(path), s.st_size, s.st_blocks, *times, *parts)


def entries(path, offset, size):
    names = [b".", b".."] + sorted(os.listdir(path))
    out = b""
    for at, name in enumerate(names[offset:], offset + 1):
        entry = struct.pack("<QQII", 1, at, len(name), 0) + name
        entry += b"\0" * (-len(entry) % 8)
        if len(out) + len(entry) > size:
            break
        out += entry
    return out


def reply(opcode, nodeid, body):
    if opcode == 26:  # INIT
        major, minor, readahead, _flags = struct.unpack_from("<4I", body)
        return struct.pack("<4IHHIIHHI7I", 7, 31, readahead, 0, 16, 12, 65536, 1, 16, 0, 0, *[0] * 7)
    path = paths[nodeid]
    if opcode == 1:  # LOOKUP: nothing is kept, so that each look asks again
        child = os.path.join(path, body.split(b"\0")[0])
        attr = attributes(child)
        return struct.pack("<QQQQII", node(child), 0, 0, 0, 0, 0) + attr
    if opcode == 3:  # GETATTR
        return struct.pack("<QII", 0, 0, 0) + attributes(path)
    if opcode == 5:  # READLINK
        return os.readlink(path)
    if opcode in (14, 27):  # OPEN, OPENDIR
        return struct.pack("<QII", 0, 0, 0)
    if opcode == 15:  # READ
        _fh, offset, size = struct.unpack_from("<QQI", body)
        with open(path, "rb") as file:
            file.seek(offset)
            return file.read(size)
    if opcode == 28:  # READDIR
        _fh, offset, size = struct.unpack_from("<QQI", body)
        return entries(path, offset, size)
    if opcode in (18, 25, 29):  # RELEASE, FLUSH, RELEASEDIR
        return b""
    raise OSError(errno.ENOSYS, "not needed")


def answer(message):
    _len, opcode, unique, nodeid = struct.unpack_from("<IIQQ", message)
    if opcode in (2, 36, 42):  # FORGET, INTERRUPT, BATCH_FORGET take no answer
        return
    try:
        error, body = 0, reply(opcode, nodeid, message[40:])
    except OSError as failed:
        error, body = -failed.errno, b""
    try:
        os.write(fuse, struct.pack("<IiQ", 16 + len(body), error, unique) + body)
    except FileNotFoundError:
        pass  # whoever asked was killed


hangs = False
kept = []
print("mounted", flush=True)
try:
    while True:
        readable, _, _ = select.select([0, fuse], [], [])
        if fuse in readable:
            try:
                message = os.read(fuse, 1 << 20)
            except OSError:
                break  # unmounted
            kept.append(message)
        if 0 in readable:
            command = sys.stdin.buffer.raw.readline().strip()
            if command == b"":
                break
            hangs = command == b"hang"
            print(command.decode(), flush=True)
        while kept and not hangs:
            answer(kept.pop(0))
finally:
    os.close(fuse)  # ends whatever waits for an answer
    libc.umount2(target, 2)
