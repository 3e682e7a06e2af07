// Acts of weight ask who the person is. The refused request waits for the dialog of the frame, and is then sent again.
import type { CurrentSession, Error as ErrorBody } from '../../clients/typescript/src/entry.ts'
import { createStore } from '../state/store.ts'

type Way = CurrentSession['reauthentication'][number]
type Question = { ways: readonly Way[]; answer: (isConfirmed: boolean) => void }

export const questions = createStore<readonly Question[]>([])

/** The ways in which the person may show who they are, if the request was refused for that. */
export async function waysToConfirm(answer: Response): Promise<readonly Way[] | undefined> {
  if (answer.status !== 403) return undefined
  const body: ErrorBody | undefined = await answer
    .clone()
    .json()
    .catch(() => undefined)
  return body?.error?.code === 'reauthentication_required' ? (body.error.methods ?? []) : undefined
}

/** False if the person does not want to. */
export const confirmsIdentity = (ways: readonly Way[]): Promise<boolean> =>
  new Promise((answer) => questions.set((now) => [...now, { ways, answer }]))

export function answerAll(isConfirmed: boolean): void {
  const asked = questions.get()
  questions.set([])
  for (const { answer } of asked) answer(isConfirmed)
}
