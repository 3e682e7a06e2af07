// The values of variables. A value that would start and then break is refused here.
import { statSync } from 'node:fs'
import { isIP } from 'node:net'
import { dirname, resolve } from 'node:path'
import { z } from 'zod'
import { isNetwork } from './outbound/addresses.ts'
import { parseDatabaseUrl } from './stores/databaseUrl.ts'
import { isRedisUrl } from './stores/redisUrl.ts'

export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
)

/** 0 is any free one. */
export const port = z
  .string()
  .trim()
  .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, {
    error: ({ input }) => `${JSON.stringify(String(input).slice(0, 40))} is not a port, 0 to 65535`,
  })
  .transform(Number)

/** An address of this machine. A name could stand for several, and only one of them would be listened on. */
export const host = z
  .string()
  .trim()
  .transform((text) => (text === 'localhost' ? '127.0.0.1' : text))
  .refine((text) => isIP(text) !== 0, 'expected an IP address, for example 127.0.0.1, 0.0.0.0 or ::1')

const seconds = 'expected whole seconds, 1 to 86400'

/** In decimals, without a unit. */
const number = (least: number, most: number, expected: string) =>
  z
    .string()
    .trim()
    .regex(/^\d+(\.\d+)?$/, expected)
    .transform(Number)
    .pipe(z.number().min(least, expected).max(most, expected))

export const wholeSeconds = number(1, 86_400, seconds).pipe(z.int(seconds))
export const share = number(0, 1, 'expected a number from 0 to 1')

const webAddress = (expected: string) =>
  z
    .string()
    .trim()
    .refine((text) => /^https?:\/\/[^/\s\\]/i.test(text) && URL.canParse(text), expected)

/** Links are made by appending to it. */
export const baseUrl = webAddress('expected http://host or https://host')
  .refine((text) => !/[?#@]/.test(text), 'must not have a user, a query or a fragment')
  .transform((text) => new URL(text).href)

export const smtpUrl = z
  .string()
  .trim()
  .refine(
    (text) => /^smtps?:\/\/[^/\s\\?#]/i.test(text) && URL.canParse(text) && isDecodable(text),
    'expected smtp://host:port or smtps://host:port',
  )

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** The line of the parser states the expected form, and shows nothing of the address. */
export const databaseUrl = z
  .string()
  .trim()
  .superRefine((text, context) => {
    try {
      parseDatabaseUrl(text)
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message })
    }
  })

export const redisUrl = z
  .string()
  .trim()
  .refine(isRedisUrl, 'expected redis://, rediss://, redis+sentinel:// or redis+cluster://')

/** A folder, which may not be there yet. */
export const folder = z
  .string()
  .min(1)
  .superRefine((path, context) => {
    const message = obstacleAt(resolve(path))
    if (message) context.addIssue({ code: 'custom', message })
  })

/** Why no folder can be at this path; undefined if one may. */
export function obstacleAt(path: string): string | undefined {
  try {
    return statSync(path).isDirectory() ? undefined : `${path} is a file, not a folder`
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if ((code === 'ENOENT' || code === 'ENOTDIR') && path !== '/') return obstacleAt(dirname(path))
    return code === 'EACCES' ? undefined : `expected a folder; ${path} cannot be read (${code})`
  }
}

/** It is sent in a header. */
export const token = z
  .string()
  .min(16)
  .regex(/^[\x21-\x7e]+$/, 'expected visible ASCII characters, without spaces')

/** A name in traces. */
export const line = z.string().regex(/^\P{Cc}{1,255}$/u, 'expected one line of at most 255 characters')

export const pairs = z
  .string()
  .regex(/^\s*[^=,\s]+\s*=[^,]*(,\s*[^=,\s]+\s*=[^,]*)*$/, 'expected key=value, separated by commas')

/** As `isTrustedHost` compares them; any other text would trust nothing. */
export const trustedHosts = list.pipe(
  z.array(
    z
      .string()
      .regex(/^([\w.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$|^[0-9a-f:.]+$/i, 'expected host or host:port, separated by commas')
      .refine(
        (text) => isIP(text) !== 0 || Number(/:(\d+)$/.exec(text)?.[1] ?? 0) <= 65_535,
        'expected host or host:port, separated by commas',
      ),
  ),
)

/** As a browser sends them in `Origin`: without a path. */
export const webOrigins = list.pipe(
  z.array(
    z
      .string()
      .refine(
        (text) => /^https?:$/.test(URL.parse(text)?.protocol ?? '') && URL.parse(text)?.origin === text.toLowerCase(),
        'expected origins such as https://app.example.com, separated by commas',
      )
      .transform((text) => text.toLowerCase()),
  ),
)

/** `id:base64` of 32 bytes each; the first encrypts, all decrypt. */
export const encryptionKeys = list.pipe(
  z
    .array(
      z
        .string()
        .regex(/^[A-Za-z0-9_-]{1,16}:[A-Za-z0-9+/=_-]+$/, 'expected id:base64')
        .transform((item) => {
          const [id, secret] = item.split(':') as [string, string]
          return { id, secret: Buffer.from(secret, 'base64') }
        })
        .refine((key) => key.secret.length === 32, 'each key is 32 bytes in base64'),
    )
    .min(1)
    .refine((keys) => new Set(keys.map(({ id }) => id)).size === keys.length, 'each key needs an id of its own'),
)

const proxy = z
  .string()
  .refine(
    (text) => ['loopback', 'linklocal', 'uniquelocal'].includes(text) || isNetwork(text),
    'expected addresses, networks such as 10.0.0.0/8 (not all addresses), or loopback',
  )
export const proxies = list.pipe(z.array(proxy))

export const otlpEndpoint = webAddress('expected http://host:port or https://host:port').optional()

const eachSecret = 'expected secrets of at least 32 characters each, separated by commas'
export const secrets = list.pipe(z.array(z.string().min(32, eachSecret)).min(1, eachSecret))

export const samplers = [
  ...['always_on', 'always_off', 'traceidratio'],
  ...['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'],
] as const
