-- A device's wrong PINs were counted in a row before 0005, by another rule; no right PIN would clear those counts now.
-- compatible

update staff_device set pin_failures = 0, pin_wait_until = null where pin_failures > 0 or pin_wait_until is not null;
