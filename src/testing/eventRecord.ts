// Answers to changes of events say what becomes of the event's copy; reads do not.

/** The answer with its body as a read shows the event. */
// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
export function asRead<Answer extends { body: any }>(answer: Answer): Answer {
  const { external_sync: _, ...body } = answer.body ?? {}
  return answer.body ? { ...answer, body } : answer
}
