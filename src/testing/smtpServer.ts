// A mail server: real SMTP that keeps the mails it takes, and refuses recipients when told to.
import { SMTPServer } from 'smtp-server'
import { type ReadMail, readMail } from './mailbox.ts'

type TakenMail = ReadMail & { raw: string; from: string; recipients: string[] }

type TestSmtpServer = {
  url: string
  taken: TakenMail[]
  /** The answer to the next recipients; without it the server takes their mails. */
  refusal: { code: number; text: string } | undefined
  /** Called when a mail has come in, before the server says that it took it. */
  onMail: () => Promise<void>
  /** As it was when it was opened. */
  reset(): void
  close(): Promise<void>
}

export async function openSmtpServer(): Promise<TestSmtpServer> {
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo(_address, _session, done) {
      const { refusal } = server
      done(refusal && Object.assign(new Error(refusal.text), { responseCode: refusal.code }))
    },
    async onData(stream, session, done) {
      const raw = Buffer.concat(await stream.toArray()).toString()
      const { mailFrom, rcptTo } = session.envelope
      server.taken.push({
        ...(await readMail(raw)),
        raw,
        from: mailFrom ? mailFrom.address : '',
        recipients: rcptTo.map(({ address }) => address),
      })
      await server.onMail()
      done()
    },
  })
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  const { port } = smtp.server.address() as { port: number }
  const atFirst = () => ({ taken: [], refusal: undefined, onMail: async () => undefined })
  const server: TestSmtpServer = {
    url: `smtp://127.0.0.1:${port}`,
    ...atFirst(),
    reset: () => void Object.assign(server, atFirst()),
    close: () => new Promise((resolve) => smtp.close(() => resolve())),
  }
  return server
}
