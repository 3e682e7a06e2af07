// `npm run trial -- image`: the image is built by the Dockerfile with Debian's buildah, looked through, and run: its files are
// read-only, its user has no rights, its stores are real.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { listenForStop } from '../../local/stopSignals.ts'
import { type Closable, type Opened, openAll } from '../world/opened.ts'
import { table } from '../world/report.ts'
import { repository } from '../world/supervise.ts'
import { runTrial } from '../world/trial.ts'
import { baseTags, makeBaseImages } from './baseImages.ts'
import { openBuilder } from './builder.ts'
import type { Checked } from './checks.ts'
import { openEngine } from './container.ts'
import { checkContents } from './contents.ts'
import { tryService } from './service.ts'

const maxMs = 45 * 60_000
const tag = 'agent-calendar:trial'
const large = ['debian', 'distroless', 'store', 'runroot', 'root', 'postgres', 'redis']
const needed = { buildah: 'buildah', debootstrap: 'debootstrap', unshare: 'util-linux', setpriv: 'util-linux' }

const missing = missingHere()
if (missing) {
  console.error(`agent-calendar: ${missing}`)
  process.exit(2)
}

const checks: Checked[] = []
const startedMs = performance.now()
const say = (line: string) =>
  console.log(`  ${((performance.now() - startedMs) / 1000).toFixed(0).padStart(4)} s  ${line}`)

function missingHere(): string | undefined {
  if (process.platform !== 'linux') return 'the trial of the image runs on Linux only'
  if (process.getuid?.() !== 0) return 'the trial of the image mounts file systems: run it as root'
  const folders = (process.env.PATH ?? '').split(delimiter)
  const absent = Object.entries(needed).filter(([name]) => !folders.some((folder) => existsSync(join(folder, name))))
  const packages = [...new Set(absent.map(([, name]) => name))]
  return absent.length > 0
    ? `missing packages: ${packages.join(', ')} (apt-get install --no-install-recommends ${packages.join(' ')})`
    : undefined
}

type Site = Closable & { opened: Opened }

async function run({ opened }: Site): Promise<void> {
  const check = (what: string, isSo: boolean, detail = '') => void checks.push({ what, isSo, detail })
  const builder = openBuilder(opened)
  await makeBaseImages(builder, baseTags(readFileSync(join(repository, 'Dockerfile'), 'utf8')), say)
  say('building the image: npm installs the packages twice')
  await builder.build(repository, tag)
  const root = join(opened.dataDir, 'root')
  const config = await builder.unpack(tag, root)
  checkContents(root, Number(config.User.split(':')[0]), check, say)
  await tryService({ opened, engine: openEngine(opened, root, config), config, check, say })
}

const stop = listenForStop()
process.exit(
  await runTrial<Site>({
    what: 'The image is built, looked through and run (about 10 minutes)',
    stop,
    maxMs,
    open: () =>
      openAll('image', async (opened) => {
        // Only the logs are kept, when something is wrong.
        opened.onClose(() => {
          for (const name of large) rmSync(join(opened.dataDir, name), { recursive: true, force: true })
        })
        return { opened }
      }) as Promise<Site>,
    run,
    isWrong: () => checks.some(({ isSo }) => !isSo) || (checks.length === 0 && !stop.requested.aborted),
    report: () =>
      checks.length === 0
        ? undefined
        : table(
            ['what', 'so'],
            checks.map(({ what, isSo, detail }) => [what, isSo ? 'yes' : `NO ${detail}`]),
            2,
          ),
  }),
)
