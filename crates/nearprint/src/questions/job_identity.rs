//! What makes a job this job, so that only the same job is resumed: the version, the settings, how inputs are read, and
//! the list of files.

use nearprint_records::{
    CaptureIds, FileSettings, JobIdentity, ReadSettings, TableFields, TableForm,
};

use crate::{Dedup, InputSettings, Inputs, InputsError, Settings};

impl Settings {
    /// The identity of a job of this name that reads `inputs` with these settings: all that decides its records.
    ///
    /// ```
    /// use nearprint::{InputSettings, Inputs, Settings};
    /// # let directory = tempfile::tempdir().unwrap();
    /// # let path = directory.path().join("fog.txt");
    /// # std::fs::write(&path, "Fog came in at noon.").unwrap();
    ///
    /// let inputs = Inputs::new([&path], InputSettings::default())?;
    /// let identity = Settings::default().job_identity("fingerprint", &inputs)?;
    /// assert!(identity.as_str().contains("files=1 files of 20 bytes"));
    /// # Ok::<(), nearprint::InputsError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Inputs::identify`].
    pub fn job_identity(&self, name: &str, inputs: &Inputs) -> Result<JobIdentity, InputsError> {
        let identity = JobIdentity::new(name).with("version", env!("CARGO_PKG_VERSION"));
        let identity = inputs.settings().identify(self.identify(identity));
        inputs.identify(identity, "files")
    }
}

impl Dedup {
    /// The identity of a job that reads these documents and references. What is decided about them is not part of it:
    /// it may be decided again in another way.
    ///
    /// # Errors
    /// As [`Inputs::identify`].
    pub fn job_identity(
        &self,
        settings: &Settings,
        inputs: &Inputs,
        references: &Inputs,
    ) -> Result<JobIdentity, InputsError> {
        references.identify(settings.job_identity("dedup", inputs)?, "against")
    }
}

impl Settings {
    /// The identity of a job that saves the texts of documents and references, for any search among them: what is
    /// looked for is not part of it.
    ///
    /// # Errors
    /// As [`Inputs::identify`].
    pub fn texts_identity(
        &self,
        inputs: &Inputs,
        references: &Inputs,
    ) -> Result<JobIdentity, InputsError> {
        references.identify(self.job_identity("passages", inputs)?, "against")
    }
}

impl InputSettings {
    /// Adds to the identity of a job how files are read. Which files are selected is in the list of files.
    #[must_use]
    pub fn identify(&self, identity: JobIdentity) -> JobIdentity {
        // Named one by one, so that a new setting does not compile before it has a place here.
        let Self { files, format, reading } = self;
        let FileSettings { selection: _, follow_links: _, max_bytes } = files;
        let ReadSettings {
            fields,
            form,
            ids,
            any_status,
            revisits,
            max_bytes: longest,
            max_ratio,
            max_work_per_byte,
        } = reading;
        let TableFields { id, text, html, order } = fields;
        let TableForm { delimiter, no_header, charset } = form;
        let delimiter = delimiter.map(|delimiter| delimiter.to_string());
        let given = |value: &Option<String>| value.clone().unwrap_or_default();
        let ids = match ids {
            CaptureIds::Record => "record",
            CaptureIds::Url => "url",
            CaptureIds::DateAndUrl => "url-date",
        };
        identity
            .with("input-format", format.name())
            .with("id", given(id))
            .with("text", given(text))
            .with("html", given(html))
            .with("order", given(order))
            .with("delimiter", given(&delimiter))
            .with("no-header", no_header)
            .with("table-charset", given(charset))
            .with("ids", ids)
            .with("any-status", any_status)
            .with("revisits", revisits)
            .with("input-bytes", max_bytes)
            .with("record-bytes", longest)
            .with("record-expansion", max_ratio)
            .with("record-work", max_work_per_byte)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::InputFormat;

    #[test]
    fn every_setting_of_inputs_changes_the_identity_of_a_job() {
        let of = |settings: &InputSettings| settings.identify(JobIdentity::new("job"));
        let changed = |change: fn(&mut InputSettings)| {
            let mut settings = InputSettings::default();
            change(&mut settings);
            of(&settings)
        };
        let mut all = vec![
            of(&InputSettings::default()),
            changed(|settings| settings.format = InputFormat::Files),
            changed(|settings| settings.reading.fields.id = Some("x".to_owned())),
            changed(|settings| settings.reading.fields.text = Some("x".to_owned())),
            changed(|settings| settings.reading.fields.html = Some("x".to_owned())),
            changed(|settings| settings.reading.fields.order = Some("x".to_owned())),
            changed(|settings| settings.reading.form.delimiter = ";".parse().ok()),
            changed(|settings| settings.reading.form.no_header = true),
            changed(|settings| settings.reading.form.charset = Some("x".to_owned())),
            changed(|settings| settings.reading.ids = CaptureIds::Url),
            changed(|settings| settings.reading.any_status = true),
            changed(|settings| settings.reading.revisits = true),
            changed(|settings| settings.files.max_bytes = 7),
            changed(|settings| settings.reading.max_bytes = 7),
            changed(|settings| settings.reading.max_ratio = 7),
            changed(|settings| settings.reading.max_work_per_byte = 7),
        ];
        let count = all.len();
        all.sort_by(|a, b| a.as_str().cmp(b.as_str()));
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
