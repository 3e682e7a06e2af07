// A real browser for the tests of pages. Where there is none they are skipped and say so; in CI that is a failure.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const names = ['chromium', 'chromium-browser', 'google-chrome']
const folders = [
  ...(process.env.PATH ?? '').split(delimiter).filter(Boolean),
  '/usr/bin',
  '/usr/local/bin',
  '/snap/bin',
]

const browserFile = folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable)

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** For `test(name, { skip })`: false where there is a browser, or where there must be one. */
export const withoutBrowser: string | false =
  browserFile || process.env.CI ? false : 'Chromium is not installed: apt-get install chromium'

let opened: Promise<Browser> | undefined

/** One for all files of this process, because a start costs as much as a test; it ends with the process. Each test has contexts of its own. */
export async function openBrowser(): Promise<Browser> {
  opened ??= launch()
  const browser = await opened
  if (browser.isConnected()) return browser
  opened = launch()
  return opened
}

function launch(): Promise<Browser> {
  if (!browserFile) throw new Error('Chromium is not installed')
  return chromium.launch({
    executablePath: browserFile,
    args: [
      ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
    ],
  })
}
