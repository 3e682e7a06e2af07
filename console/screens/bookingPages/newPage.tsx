import { useNavigate } from '@tanstack/react-router'
import { Form } from '../../parts/form.tsx'
import { Screen } from '../../parts/screen.tsx'
import { useForm } from '../../parts/useForm.ts'
import { acted } from '../../service/live.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { notify } from '../../state/notices.ts'
import { settings } from '../../state/settings.ts'
import { texts } from '../../texts.ts'
import { PageFields } from './pageFields.tsx'
import { createBody, emptyPage, type PageValues } from './values.ts'

export function NewBookingPage() {
  const navigate = useNavigate()
  const form = useForm<PageValues>('new-booking-page', emptyPage(settings.get().timezone))
  const act = useAct(
    (values: PageValues, sent) => service.bookingPages.create(createBody(values), sent),
    async ({ id }) => {
      form.forget()
      await acted('booking_page')
      notify(texts.created(texts.booking.noun))
      await navigate({ to: `/booking-pages/${id}` })
    },
  )
  return (
    <Screen heading={texts.booking.new}>
      <div className="card">
        <Form
          form={form}
          label={texts.booking.form}
          submit={texts.booking.create}
          act={act}
          cancel={() => navigate({ to: '/booking-pages' })}
        >
          <PageFields />
        </Form>
      </div>
    </Screen>
  )
}
