// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.ddl;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.hive.HudiSerDe;
import io.hudiskip.hive.HudiStorageHandler;
import org.junit.jupiter.api.Test;

class HandlerClassesTest {
  @Test
  void theNamesAreThoseOfTheClasses() {
    assertThat(HandlerClasses.STORAGE_HANDLER).isEqualTo(HudiStorageHandler.class.getName());
    assertThat(HandlerClasses.SERDE).isEqualTo(HudiSerDe.class.getName());
  }
}
