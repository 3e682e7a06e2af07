// A Python that the Python client promises to run on.
import { execFileSync, spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

export const pythonFolder = join(import.meta.dirname, '../python')

const versions = ['3.14', '3.13', '3.12', '3.11', '3'].map((version) => `python${version}`)

/** The first Python of this machine that is 3.11 or later. */
export const findPython = () => find('sys.version_info >= (3, 11)')

/** One that builds a package without asking a registry for the tools. */
export const findBuilder = () =>
  find('sys.version_info >= (3, 11) and all(map(find_spec, ("pip", "setuptools", "wheel")))')

const find = (condition: string): string | undefined =>
  [...versions, '/usr/bin/python3'].find(
    (python) =>
      says(python, ['-c', `import sys; from importlib.util import find_spec; print(${condition})`]) === 'True',
  )

function says(python: string, words: readonly string[]): string | undefined {
  try {
    return execFileSync(python, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return undefined
  }
}

type Ran = { code: number | null; out: string; err: string }

/** Without the variables of the tests: a proxy of the machine would not reach the service. */
export function startPython(python: string, words: readonly string[], env: Record<string, string>) {
  const child = spawn(python, words, {
    cwd: join(pythonFolder, 'tests'),
    env: { PATH: process.env.PATH, PYTHONDONTWRITEBYTECODE: '1', PYTHONPATH: join(pythonFolder, 'src'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const code = new Promise<number | null>((resolve) => child.once('close', resolve))
  const ended = Promise.all([code, text(child.stdout), text(child.stderr)]).then(
    ([code, out, err]): Ran => ({ code, out, err }),
  )
  return { stop: () => child.kill(), ended }
}
