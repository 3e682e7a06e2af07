// What the running processes were given, as a file for the operator's tools: it holds secrets, and is there while they run.
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { variableNames } from '../src/config.ts'

const fileIn = (dataDir: string) => join(dataDir, 'environment')

/** Written at once or not at all, mode 0600, in the form that `process.loadEnvFile` reads. */
export function writeEnvironment(dataDir: string, env: NodeJS.ProcessEnv): void {
  const lines = variableNames.flatMap((name) => (env[name] ? [`${name}=${quoted(env[name])}`] : []))
  const draft = `${fileIn(dataDir)}.${process.pid}`
  writeFileSync(draft, `${lines.join('\n')}\n`, { mode: 0o600 })
  renameSync(draft, fileIn(dataDir))
}

export function removeEnvironment(dataDir: string): void {
  rmSync(fileIn(dataDir), { force: true })
}

/** The form knows three quotation marks and no way to write one inside of itself. */
function quoted(value: string): string {
  const mark = ["'", '"', '`'].find((candidate) => !value.includes(candidate)) ?? "'"
  return `${mark}${value}${mark}`
}
