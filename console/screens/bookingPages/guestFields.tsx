import { Check, Input, Lines, Select, SwitchField } from '../../parts/fields.tsx'
import { useField } from '../../parts/form.tsx'
import { optionsOf } from '../../parts/options.ts'
import { Rows } from '../../parts/rows.tsx'
import { texts } from '../../texts.ts'
import { noQuestion, type QuestionValues } from './questions.ts'

const words = texts.booking

/** The questions for guests, and the details that they see besides the times. */
export const GuestFields = () => (
  <>
    <div className="row">
      <Input name="slot_interval_minutes" label={words.slotInterval} type="number" min={5} />
      <Input name="additional_guests" label={words.furtherGuests} type="number" min={1} />
    </div>
    <Rows
      name="questions"
      label={words.questions}
      add={words.addQuestion}
      remove={words.removeQuestion}
      first={noQuestion}
    >
      {(at) => <Question at={at} />}
    </Rows>
    <Input name="host_organization" label={words.hostOrganization} />
    <Input name="contact" label={words.contact} hint={words.contactHint} />
    <Input name="privacy_url" label={words.privacy} type="url" />
    <div className="row">
      <Input name="logo_url" label={words.logo} type="url" />
      <Input name="theme_color" label={words.themeColor} hint={words.themeColorHint} />
    </div>
    <Input name="allowed_origins" label={words.framedBy} hint={words.framedByHint} />
    <SwitchField name="guest_mails" label={words.guestMails} />
  </>
)

function Question({ at }: { at: number }) {
  const { value: kind } = useField<QuestionValues['kind']>('kind')
  const param = (field: string) => `questions.${at}.${field}`
  return (
    <>
      <Input name="label" param={param('label')} label={words.question(at + 1)} />
      <Input name="name" param={param('name')} label={words.questionKey(at + 1)} hint={words.questionKeyHint} />
      <Select
        name="kind"
        param={param('kind')}
        label={words.questionKind(at + 1)}
        options={optionsOf(words.questionKinds)}
      />
      {kind === 'choice' && <Lines name="options" param={param('options')} label={words.questionAnswers(at + 1)} />}
      <Check name="required" param={param('required')} label={words.questionRequired(at + 1)} />
    </>
  )
}
