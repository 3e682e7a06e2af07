// Shows a guest the problem: the form again if that helps, or else a page that says so.

import { nearestStarts } from '../../src/bookingPages/freeStarts.ts'
import { filled, isLanguage, type Language } from '../../src/bookingPages/languages/languages.ts'
import { offerOf, requireOpenPage } from '../../src/bookingPages/pageForGuest.ts'
import type { Clock } from '../../src/bookingPages/times.ts'
import type { ServiceError } from '../../src/errors.ts'
import { readTime } from '../../src/localtime/readTime.ts'
import { isZone } from '../../src/shapes/zones.ts'
import { asksForHtml } from '../http/accept.ts'
import { rootOf } from '../http/root.ts'
import type { RawAnswer, RefusedCall } from '../http/route.ts'
import { guestAnswer } from './document.ts'
import type { Typed } from './fields.ts'
import { formOf, takenOf } from './form.ts'
import { failedOf } from './notices.ts'
import { readerOf, type View, viewOf } from './view.ts'

export async function showRefusal(error: ServiceError, call: RefusedCall): Promise<RawAnswer | undefined> {
  if (!asksForHtml(call.headers)) return undefined
  const form = await formAgain(error, call)
  if (form) return guestAnswer(error.status, rootOf(call.app), form, form.view, form.view.page)
  const reader = readerOf(call.headers, langOf(call))
  return guestAnswer(error.status, rootOf(call.app), failedOf(error, reader, backFrom(error, call)), reader)
}

const textOf = (call: RefusedCall, from: 'params' | 'query' | 'body', name: string): string | undefined => {
  const value = (call[from] as Record<string, unknown> | undefined)?.[name]
  return typeof value === 'string' ? value : undefined
}

export function langOf(call: RefusedCall): Language | undefined {
  const lang = textOf(call, 'body', 'lang') ?? textOf(call, 'query', 'lang')
  return lang !== undefined && isLanguage(lang) ? lang : undefined
}

export function clockOf(call: RefusedCall): Clock | undefined {
  const clock = textOf(call, 'body', 'clock') ?? textOf(call, 'query', 'clock')
  return clock === '12' || clock === '24' ? clock : undefined
}

function backFrom({ status }: ServiceError, call: RefusedCall): string | undefined {
  const slug = textOf(call, 'params', 'slug')
  return status === 404 || slug === undefined ? undefined : `${rootOf(call.app)}/book/${encodeURIComponent(slug)}`
}

/** The form with the guest's input; undefined if no form was sent, or if another attempt would not help. */
async function formAgain(error: ServiceError, call: RefusedCall) {
  const start = readTime(textOf(call, 'body', 'start') ?? '')
  const helps = [400, 409].includes(error.status) || error.status >= 500
  if (start.kind === 'refused' || !helps) return undefined
  try {
    const page = await requireOpenPage(call.app, textOf(call, 'params', 'slug') ?? '')
    const given = textOf(call, 'body', 'zone')
    const zone = given !== undefined && isZone(given) ? given : undefined
    const view = viewOf(call.app, call.headers, page, { zone, lang: langOf(call), clock: clockOf(call) })
    const title = filled(view.texts.titleNotBooked, { title: page.title })
    return { title, main: await formWith(error, call, view, start.at.getTime()), view }
  } catch {
    return undefined
  }
}

async function formWith(error: ServiceError, call: RefusedCall, view: View, startMs: number) {
  const typed: Typed = {
    name: textOf(call, 'body', 'name'),
    email: textOf(call, 'body', 'email'),
    notes: textOf(call, 'body', 'notes'),
    answers: answersOf(call.body),
    guests: textOf(call, 'body', 'guests'),
  }
  const field = error.detail.param ?? undefined
  if (error.status === 409 || field === 'start') {
    const { free } = await offerOf(call.app, view.page, call.app.clock.now())
    return takenOf(view, startMs, nearestStarts(free, startMs, maxOthers), { typed })
  }
  return formOf(view, startMs, { typed, problem: { message: messageOf(error, field, view), field: fieldOf(field) } })
}

function answersOf(body: unknown): Record<string, string> {
  const { answers } = (body ?? {}) as { answers?: unknown }
  const given = typeof answers === 'object' && answers !== null ? Object.entries(answers) : []
  return Object.fromEntries(given.filter(([, answer]) => typeof answer === 'string'))
}

/** The form has one field for all guests. */
const fieldOf = (param: string | undefined) => (param?.startsWith('guests') ? 'guests' : param)

const fieldTexts = { name: 'wrongName', email: 'wrongEmail', notes: 'wrongNotes' } as const

const messageOf = (error: ServiceError, field: string | undefined, { texts, page }: View): string => {
  if (field !== undefined && Object.hasOwn(fieldTexts, field)) {
    return texts[fieldTexts[field as keyof typeof fieldTexts]]
  }
  if (field?.startsWith('answers.')) return /too long/.test(error.message) ? texts.longAnswer : texts.wrongAnswer
  if (field?.startsWith('guests')) return filled(texts.wrongOthers, { n: String(page.details.additional_guests ?? 0) })
  if (error.type === 'quota_exceeded') return texts.full
  if (error.detail.code === 'availability_incomplete') return texts.unknownFree
  return error.status >= 500 ? texts.unsure : texts.failed
}

const maxOthers = 6
