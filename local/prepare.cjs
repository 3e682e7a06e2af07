// Makes a fresh clone ready to run: installs the packages and Node 24 and, unless the argument is `packages`, a Redis server, and
// builds the console.
// npm runs it before its other commands, under whatever Node the host has (18 or later), so it is plain CommonJS without
// dependencies. It prints nothing when there is nothing to do.
const { spawnSync } = require('node:child_process')
const { createHash } = require('node:crypto')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')

const root = path.resolve(__dirname, '..')
const binDir = path.join(root, 'node_modules', '.bin')
const programDirs = ['/usr/bin', '/usr/local/bin', '/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin', '/snap/bin']

/** The full path of the first of these programs found on PATH or in the usual places. */
function findProgram(...names) {
  const dirs = [...(process.env.PATH || '').split(path.delimiter).filter(Boolean), ...programDirs]
  for (const name of names) {
    for (const dir of dirs) {
      const file = path.join(dir, name)
      try {
        fs.accessSync(file, fs.constants.X_OK)
        if (fs.statSync(file).isFile()) return file
      } catch {}
    }
  }
  return undefined
}

const findRedisServer = () => findProgram('redis-server', 'valkey-server')

function fail(line) {
  console.error(`agent-calendar: ${line}`)
  process.exit(1)
}

function readLock(file) {
  try {
    return JSON.parse(fs.readFileSync(path.join(root, file), 'utf8')).packages
  } catch {
    return undefined
  }
}

/** Compares contents, not times: a checkout gives the lock file any time. */
function packagesAreInstalled(wanted) {
  const installed = readLock('node_modules/.package-lock.json')
  if (!installed) return false
  return Object.entries(wanted).every(([name, entry]) => {
    if (name === '' || entry.link) return true
    const found = installed[name]
    return found ? found.version === entry.version : Boolean(entry.optional || entry.devOptional || entry.peer)
  })
}

/** With the host's own Node: npm may run on node_modules/.bin/node, which `npm ci` deletes. */
function npm(...args) {
  const env = { ...process.env }
  const dirs = (env.PATH || '').split(path.delimiter).filter((dir) => !dir.endsWith(path.join('node_modules', '.bin')))
  env.PATH = dirs.join(path.delimiter)
  if (!canWrite(env.HOME))
    env.npm_config_cache = path.join(os.tmpdir(), `agent-calendar-npm-${process.getuid?.() ?? 0}`)
  const flags = ['--ignore-scripts=false', '--no-audit', '--no-fund', '--loglevel=error']
  const cli = env.npm_execpath
  const isNpm = cli && path.basename(cli).startsWith('npm-cli')
  const command = isNpm ? [env.npm_node_execpath || process.execPath, cli] : ['npm']
  const done = spawnSync(command[0], [...command.slice(1), ...args, ...flags], { cwd: root, env, stdio: 'inherit' })
  return done.status === 0
}

function canWrite(dir) {
  try {
    fs.accessSync(dir || '', fs.constants.W_OK)
    return Boolean(dir)
  } catch {
    return false
  }
}

function nodeIs(version) {
  const done = spawnSync(path.join(binDir, 'node'), ['--version'], { encoding: 'utf8' })
  return done.status === 0 && done.stdout.trim() === `v${version}`
}

/** The package `node` fetches the program in an install script, which some npm settings skip. */
function ensureNode(version) {
  if (nodeIs(version)) return
  console.log(`Installing Node ${version} (the package "node")…`)
  if (npm('rebuild', 'node') && nodeIs(version)) return
  spawnSync(process.execPath, ['installArchSpecificPackage.js'], {
    cwd: path.join(root, 'node_modules', 'node'),
    stdio: 'inherit',
  })
  if (!nodeIs(version)) fail(`Node ${version} could not be installed: remove node_modules and run this again`)
}

function ensurePackages() {
  const wanted = readLock('package-lock.json')
  if (!wanted) fail('package-lock.json is missing or broken: check the clone')
  if (!packagesAreInstalled(wanted)) {
    console.log('Installing the packages (npm ci), once, in about a minute…')
    const kinds = ['--include=dev', '--include=optional']
    // npm ci requires that the lock file names the packages of every other platform too; npm install does not.
    if (!npm('ci', ...kinds) && !npm('install', '--no-save', ...kinds)) fail('npm ci failed, see above')
  }
  ensureNode(wanted['node_modules/node'].version)
}

// Without policy-rc.d Debian would start a Redis service on port 6379, now and at every boot.
const aptScript = `
set -e
export DEBIAN_FRONTEND=noninteractive
had=yes; [ -e /etc/systemd/system/multi-user.target.wants/redis-server.service ] || had=no
if [ ! -e /usr/sbin/policy-rc.d ]; then
  printf '#!/bin/sh\\nexit 101\\n' > /usr/sbin/policy-rc.d
  chmod 755 /usr/sbin/policy-rc.d
  trap 'rm -f /usr/sbin/policy-rc.d' EXIT
fi
apt-get -qq -o DPkg::Lock::Timeout=120 update || true
apt-get -qq -o DPkg::Lock::Timeout=120 -o Dpkg::Use-Pty=0 install -y --no-install-recommends redis-server
if [ $had = no ] && command -v systemctl >/dev/null; then systemctl disable redis-server || true; fi
`

function installRedis() {
  if (process.platform === 'darwin') {
    const brew = findProgram('brew')
    if (!brew) return
    console.log('Installing redis with Homebrew, once…')
    spawnSync(brew, ['install', '--quiet', 'redis'], { stdio: 'inherit' })
    return
  }
  if (!findProgram('apt-get')) return
  const isRoot = process.getuid() === 0
  if (!isRoot && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status !== 0) return
  console.log('Installing redis-server with apt-get, once, in about half a minute (no service is started)…')
  const command = [...(isRoot ? [] : ['sudo', '-n']), 'sh', '-c', aptScript]
  const done = spawnSync(command[0], command.slice(1), { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' })
  if (done.status !== 0) console.error(done.stderr)
}

function ensureRedis() {
  if (process.env.REDIS_URL || findRedisServer()) return
  installRedis()
  if (findRedisServer()) return
  fail('Redis is missing: install the package redis-server (or valkey), version 6.2 or later, or set REDIS_URL')
}

/** The files that the built console depends on. */
function consoleSources() {
  const below = (folder) =>
    fs.readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const file = `${folder}/${entry.name}`
      if (entry.isDirectory()) return entry.name === 'node_modules' || entry.name.startsWith('dist') ? [] : below(file)
      return /\.(md|test\.ts)$/.test(entry.name) ? [] : [file]
    })
  return [...below('console'), ...below('clients/typescript/src'), 'package-lock.json'].sort()
}

/** Builds it if its sources have changed: into a new folder, so that a running service never sees half of it. */
function ensureConsole() {
  const hash = createHash('sha256')
  for (const file of consoleSources()) hash.update(`${file}\0`).update(fs.readFileSync(path.join(root, file)))
  const version = hash.digest('hex')
  const built = path.join(root, 'console', 'dist')
  const stamp = path.join(built, '.version')
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === version) return
  console.log('Building the console, in a few seconds…')
  const fresh = `${built}-${process.pid}`
  const vite = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const words = [vite, 'build', path.join(root, 'console'), '--outDir', fresh]
  const done = spawnSync(path.join(binDir, 'node'), words, { cwd: path.join(root, 'console'), stdio: 'inherit' })
  if (done.status !== 0) fail('the console could not be built, see above')
  fs.writeFileSync(path.join(fresh, '.version'), version)
  fs.rmSync(built, { recursive: true, force: true })
  fs.renameSync(fresh, built)
}

module.exports = { findRedisServer }

if (require.main === module) {
  ensurePackages()
  if (process.argv[2] !== 'packages') {
    ensureRedis()
    ensureConsole()
  }
}
