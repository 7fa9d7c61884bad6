// node:os: what there is to say about a machine that scripts cannot see.
(native) => ({
  EOL: "\n", devNull: "/dev/null",
  arch: () => "wasm32", platform: () => "handrail", type: () => "handrail", release: () => "1", version: () => "1", machine: () => "wasm32",
  tmpdir: () => "/tmp", homedir: () => native.request.env.HOME ?? "/", hostname: () => "handrail", endianness: () => "LE",
  cpus: () => [], availableParallelism: () => 1, totalmem: () => 256 * 1024 * 1024, freemem: () => 128 * 1024 * 1024,
  loadavg: () => [0, 0, 0], uptime: () => Math.floor(native.elapsed() / 1000), networkInterfaces: () => ({}),
  userInfo: () => ({ uid: 0, gid: 0, username: "agent", homedir: "/", shell: "/bin/bash" }),
  constants: { signals: { SIGINT: 2, SIGTERM: 15 }, errno: {}, priority: {} },
})
