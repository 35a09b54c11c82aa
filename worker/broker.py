"""Messages that may be lost: the sweeper finds in the database whatever their loss leaves undone."""

from __future__ import annotations

import logging
from typing import Any

from kombu.transport import virtual
from kombu.transport.redis import QoS

log = logging.getLogger(__name__)


class DisposableMessages(QoS):
    """Takes the loss of Redis calmly, where kombu's own class would end the worker.

    A channel that has lost its connection puts no message back and acknowledges none. What stays unacknowledged in
    Redis is delivered once more when the visibility timeout has passed, which does no harm.
    """

    restore_at_shutdown = False

    def ack(self, delivery_tag: Any) -> None:
        """Forget a message; a lost connection is noticed, and mended, by whoever reads from it."""
        self._settle(delivery_tag)

    def reject(self, delivery_tag: Any, requeue: bool = False) -> None:
        """The same: what was refused is found again."""
        self._settle(delivery_tag)

    def _settle(self, delivery_tag: Any) -> None:
        virtual.QoS.ack(self, delivery_tag)
        if self.channel.closed:
            return
        try:
            self._remove_from_indices(delivery_tag).execute()  # type: ignore[no-untyped-call]  # of kombu
        except self.channel.connection_errors as error:
            log.debug("message %s is not acknowledged: %s", delivery_tag, error)
