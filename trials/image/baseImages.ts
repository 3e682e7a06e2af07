// Stand-ins for the base images, for a machine that reaches no registry of images: Debian as `debootstrap` makes it,
// with the Node of this repository and the npm that runs the trial; and the few packages of a distroless image.
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { repository } from '../world/supervise.ts'
import type { Builder } from './builder.ts'
import { runSealed } from './sealed.ts'

const release = 'bookworm'
const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
const certificates = '/etc/ssl/certs/ca-certificates.crt'
/** As gcr.io/distroless/cc-debian12 has them. */
const distrolessPackages = ['base-files', 'ca-certificates', 'libc6', 'libgcc-s1', 'libstdc++6', 'netbase', 'tzdata']

/** The tags of the base images in the Dockerfile, in order, each once. */
export function baseTags(dockerfile: string): string[] {
  const named = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, tag]) => tag!)
  return [...new Set(named)]
}

export async function makeBaseImages(builder: Builder, tags: readonly string[], say: (line: string) => void) {
  const { dataDir, place } = builder
  const debian = join(dataDir, 'debian')
  const node = tags.find((tag) => tag.startsWith('node:'))
  const distroless = tags.find((tag) => tag.includes('/distroless/cc-debian12'))
  if (!node || !distroless || tags.length !== 2) throw new Error(`no stand-in for one of ${tags.join(', ')}`)

  say(`making Debian ${release}`)
  const wanted = ['--variant=minbase', `--include=${distrolessPackages.join(',')}`, release, debian, ...mirror()]
  await runSealed('debootstrap', wanted, place)

  say(`making a stand-in for ${distroless}`)
  const small = copyPackages(debian, join(dataDir, 'distroless'))
  const variables = `ENV PATH=${path} SSL_CERT_FILE=${certificates}\nUSER 65532\nWORKDIR /home/nonroot\n`
  await builder.build(small, distroless, `FROM scratch\nCOPY . /\n${variables}`)

  say(`making a stand-in for ${node}`)
  addNode(debian)
  await builder.build(debian, node, `FROM scratch\nCOPY . /\nENV PATH=${path}\n`)
}

/** The one that apt uses here for this release, if any. */
function mirror(): string[] {
  const format = '$(RELEASE) $(COMPONENT) $(REPO_URI)'
  const { stdout } = spawnSync('apt-get', ['indextargets', '--format', format, 'Created-By: Packages'], {
    encoding: 'utf8',
  })
  const found = (stdout ?? '').split('\n').map((line) => line.split(' '))
  return found
    .filter(([name, component]) => name === release && component === 'main')
    .map((words) => words[2]!)
    .slice(0, 1)
}

/** Copies what dpkg installed of them, and the certificates that their installation made. */
function copyPackages(debian: string, target: string): string {
  const files = distrolessPackages.flatMap((name) => {
    const [list] = globSync([`${name}.list`, `${name}:*.list`], { cwd: join(debian, 'var/lib/dpkg/info') })
    if (!list) throw new Error(`debootstrap left no package ${name}`)
    return readFileSync(join(debian, 'var/lib/dpkg/info', list), 'utf8').split('\n')
  })
  // The links of Debian, as from /lib to /usr/lib, need their targets first.
  for (const folder of ['bin', 'sbin', 'lib', 'lib64']) mkdirSync(join(target, 'usr', folder), { recursive: true })
  const names = [...new Set(files)].filter((file) => file.length > 2).map((file) => file.slice(1))
  writeFileSync(`${target}.files`, names.sort().join('\n'))
  const copying = `tar -C "$1" -c --no-recursion -T "$2.files" | tar -C "$2" -x`
  const { status, stderr } = spawnSync('sh', ['-c', copying, 'sh', debian, target], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the packages could not be copied: ${stderr}`)
  cpSync(join(debian, 'etc/ssl'), join(target, 'etc/ssl'), { recursive: true, verbatimSymlinks: true })
  return target
}

/** Node and npm, with the registry and the certificates that npm uses here. */
function addNode(debian: string): void {
  const local = join(debian, 'usr/local')
  cpSync(realpathSync(join(repository, 'node_modules/node/bin/node')), join(local, 'bin/node'))
  const npm = dirname(dirname(npmProgram()))
  cpSync(npm, join(local, 'lib/node_modules/npm'), { recursive: true, verbatimSymlinks: true })
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'))
  const registry = spawnSync(process.execPath, [npmProgram(), 'config', 'get', 'registry'], { encoding: 'utf8' })
  mkdirSync(join(local, 'etc'), { recursive: true })
  writeFileSync(join(local, 'etc/npmrc'), `registry=${registry.stdout.trim()}\ncafile=${certificates}\n`)
  if (existsSync(certificates)) cpSync(certificates, join(debian, certificates))
}

/** npm names it to the programs that it runs. */
function npmProgram(): string {
  const program = process.env.npm_execpath ?? '/usr/lib/node_modules/npm/bin/npm-cli.js'
  return realpathSync(program)
}
