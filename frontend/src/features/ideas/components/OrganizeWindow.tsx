import { useState } from "react";
import { toApiError } from "@/api/baseApi";
import { useOrganizeIdeaMutation } from "@/api/enhanced";
import type { ListedIdea } from "@/api/generated";
import { useAppDispatch } from "@/store/hooks";
import { successToast } from "@/store/toastSlice";
import { Alert } from "@/ui/Alert";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Checkbox } from "@/ui/form/Checkbox";
import { Form } from "@/ui/form/Form";
import { formikField } from "@/ui/form/formik";
import { TextField } from "@/ui/form/TextField";
import { useForm } from "@/ui/form/useForm";
import { messages, titleOf } from "../messages";

const texts = messages.organize;

interface OrganizeWindowProps {
  idea: ListedIdea;
  open: boolean;
  onClose: () => void;
  onSaved: () => void;
}

/** The dialog in which an idea is tagged and archived. */
export function OrganizeWindow({ idea, open, onClose, onSaved }: OrganizeWindowProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={texts.title}
      description={titleOf(idea)}
      staysOnOutsideClick
    >
      <OrganizeForm idea={idea} onClose={onClose} onSaved={onSaved} />
    </Dialog>
  );
}

// The server has the rules; its answer comes at once.
const unchecked = () => ({});

function OrganizeForm({ idea, onClose, onSaved }: Omit<OrganizeWindowProps, "open">) {
  const dispatch = useAppDispatch();
  const [organize] = useOrganizeIdeaMutation();
  const [failure, setFailure] = useState<string | null>(null);
  const known = { tags: idea.tags.join(", "), archived: idea.archived };
  const form = useForm({
    initialValues: known,
    validate: unchecked,
    onSubmit: async ({ tags, archived }, { setErrors }) => {
      setFailure(null);
      const typed = tags.split(",").map((tag) => tag.trim());
      // What was not changed here stays as it is: another tab may have changed it, and of an
      // unreadable idea the tags are not known.
      const organizeBody = {
        ...(tags !== known.tags && { tags: typed.filter((tag) => tag !== "") }),
        ...(archived !== known.archived && { archived }),
      };
      const { error } = await organize({ id: idea.id, organizeBody });
      if (!error) {
        onSaved();
        onClose();
        dispatch(successToast(texts.saved));
        return;
      }
      const { field, detail } = toApiError(error);
      if (field === "tags" && detail) setErrors({ tags: detail });
      else setFailure(detail ?? texts.failed);
    },
  });
  return (
    <Form form={form} className="mt-5 flex flex-col gap-5">
      {failure && <Alert>{failure}</Alert>}
      <TextField
        label={texts.tags}
        hint={texts.tagsHint}
        autoComplete="off"
        {...formikField(form, "tags")}
      />
      <Checkbox
        label={texts.archived}
        hint={texts.archivedHint}
        checked={form.values.archived}
        onChange={(checked) => form.setFieldValue("archived", checked)}
      />
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button variant="secondary" disabled={form.isSubmitting} onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" busy={form.isSubmitting}>
          {texts.save}
        </Button>
      </div>
    </Form>
  );
}
