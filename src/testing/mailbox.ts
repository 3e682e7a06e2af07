// The mails that a test's service has sent: the files it wrote, read as a mail program reads them.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime, { type Email } from 'postal-mime'
import type { TestService } from './harness.ts'

export type ReadMail = { to: string; subject: string; text: string; mail: Email }

export async function readMail(source: string | Buffer): Promise<ReadMail> {
  const mail = await PostalMime.parse(source)
  return { to: mail.to?.[0]?.address ?? '', subject: mail.subject ?? '', text: mail.text ?? '', mail }
}

/** To this address, the oldest first; what waits is sent first. */
export async function mailsTo(service: TestService, address: string): Promise<ReadMail[]> {
  await service.drain()
  const { mailDir } = service.app.config
  // One that is being written has no name yet.
  const names = (await readdir(mailDir).catch(() => [])).filter((name) => name.endsWith('.eml'))
  const files = await Promise.all(names.sort().map((name) => readFile(join(mailDir, name))))
  const mails = await Promise.all(files.map(readMail))
  return mails.filter(({ to }) => to === address)
}

/** The code in the last mail to this address. */
export async function codeTo(service: TestService, address: string): Promise<string> {
  const mails = await mailsTo(service, address)
  return /^(\d{6})$/m.exec(mails.at(-1)?.text ?? '')?.[1] ?? ''
}

/** The token of the link in the last mail to this address. */
export async function linkTo(service: TestService, address: string): Promise<string> {
  const mails = await mailsTo(service, address)
  return /^http\S+\?token=([\w-]+)$/m.exec(mails.at(-1)?.text ?? '')?.[1] ?? ''
}
