// The generated files of the clients, and how they are written.
import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { commandFiles } from './commandTable.ts'
import { pythonFiles } from './python.ts'
import { typescriptFiles } from './typescript.ts'

const root = join(import.meta.dirname, '../..')

/** Each generated file, and its text. */
export const clientFiles = (): Record<string, string> => ({
  ...typescriptFiles(),
  ...commandFiles(),
  ...pythonFiles(),
})

export const generatedFiles = (): string[] =>
  globSync('clients/*/src/{,*/}generated/**/*.{ts,py}', { cwd: root }).sort()

/** The file of a removed group is deleted. */
export function writeClients(): void {
  const files = clientFiles()
  for (const file of generatedFiles()) if (!(file in files)) rmSync(join(root, file))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
}
