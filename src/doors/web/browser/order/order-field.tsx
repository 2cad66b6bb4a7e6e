import { Field, type FieldProps } from '../../components/field.tsx';
import { useMessages } from '../../components/reader.ts';
import { order } from '../../messages/compiled/order.ts';

interface OrderFieldProps extends Omit<FieldProps, 'id' | 'isRequired'> {
  readonly isOptional?: boolean;
}

/** A field of the order page: its label says where it may stay empty. */
export const OrderField = ({ label, isOptional = false, ...field }: OrderFieldProps) => {
  const t = useMessages(order);
  return (
    <Field
      {...field}
      id={`order-${field.name}`}
      isRequired={!isOptional}
      label={
        <>
          {label} {isOptional && <small class="muted">{t.optional}</small>}
        </>
      }
    />
  );
};
