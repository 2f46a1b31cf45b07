// JSON Schema for the form library.
import { toErrorSchema, type ValidatorType } from "@rjsf/utils";

import { faultsOf } from "./schema_faults";

export const validator: ValidatorType = {
  validateFormData(data, schema) {
    const errors = faultsOf(schema, data);
    return { errors, errorSchema: toErrorSchema(errors) };
  },
  isValid: (schema, data) => faultsOf(schema, data).length === 0,
  rawValidation: (schema, data) => ({ errors: faultsOf(schema, data) as never[] }),
};
