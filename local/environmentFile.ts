// The environment of the running processes as a file for the operator's tools. It contains secrets, and exists only
// while the processes run.
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { variableNames } from '../src/config.ts'

const fileIn = (dataDir: string) => join(dataDir, 'environment')

/** Writes all of it or nothing, mode 0600, in the format that `process.loadEnvFile` reads. */
export function writeEnvironment(dataDir: string, env: NodeJS.ProcessEnv): void {
  const lines = variableNames.flatMap((name) => (env[name] ? [`${name}=${quoted(env[name])}`] : []))
  const draft = `${fileIn(dataDir)}.${process.pid}`
  writeFileSync(draft, `${lines.join('\n')}\n`, { mode: 0o600 })
  renameSync(draft, fileIn(dataDir))
}

export function removeEnvironment(dataDir: string): void {
  rmSync(fileIn(dataDir), { force: true })
}

/** The format has three quotation marks and no way to escape them. */
function quoted(value: string): string {
  const mark = ["'", '"', '`'].find((candidate) => !value.includes(candidate)) ?? "'"
  return `${mark}${value}${mark}`
}
